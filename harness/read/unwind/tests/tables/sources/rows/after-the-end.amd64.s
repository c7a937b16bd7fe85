# What follows the last instruction of the function is no row.
# expect: 0x1000..0x1100 cfa=rsp+8 ra=[cfa-8] fp=same
    .include "cfi.inc"
    simple
    advance4 0x100
    def_cfa_offset 16
    advance4 0x100
    def_cfa_offset 24
    done
