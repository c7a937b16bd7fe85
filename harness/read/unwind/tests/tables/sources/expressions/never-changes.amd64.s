# A form that never changes is followed 64 bytes each way: always rsp+8, although the PC is
# read.
# show: lookups
# expect: at 0xfff: no FDE covers the address
# expect: at 0x1000: row from 0x1000
# expect: at 0x10ff: row from 0x10bf
# expect: at 0x1100: no FDE covers the address
# expect: after a call, at 0x1000: no FDE covers the address
# expect: after a call, at 0x1100: row from 0x10bf
# expect: 0x1000..0x1040 cfa=rsp+8 ra=[cfa-8] fp=same
    .include "cfi.inc"
    simple
    def_cfa_expression
    breg 7, 8
    breg 16, 0
    lit 0
    and
    plus
    value
    done
