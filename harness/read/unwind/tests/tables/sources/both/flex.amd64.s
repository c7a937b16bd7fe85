# Flexible rows answer like the expressions that they stand for: a CFA in r10, which has a value
# outside the stack here, and one in a slot of the frame, with FP in another.
# show: callers lookups
# memory: 700005f8=70000700
# expect: at 0xfff: no FDE covers the address
# expect: at 0x1000: row from 0x1000
# expect: at 0x103f: row from 0x1011
# expect: at 0x1040: no FDE covers the address
# expect: after a call, at 0x1000: no FDE covers the address
# expect: after a call, at 0x1040: row from 0x1011
# expect: 0x1000..0x1005 cfa=rsp+8 ra=[cfa-8] fp=same
# expect: caller: cfa sp+8 ra [sp] sp sp+8 fp sp+512
# expect: 0x1005..0x1011 cfa=r10 ra=[cfa-8] fp=same
# expect: fault: reads outside the stack at r2
# expect: 0x1011..0x1040 cfa=[rbp-8] ra=[cfa-8] fp=[rbp]
# expect: caller: cfa sp+768 ra [sp+760] sp sp+768 fp [sp+512]
    .include "cfi.inc"
    eh_frame
    cie
    initial
    done
    fde 0x1000, 0x40
    advance 5
    def_cfa 10, 0
    advance 12
    def_cfa_expression
    breg 6, -8
    deref
    value
    expression 6
    breg 6, 0
    value
    done
    .section .made.sframe, "a"
    .2byte 0xdee2
    .byte 3, 5, 3, 0, -8, 0
    .4byte 1, 3, 20, 0, 16
    .8byte 0xfe4
    .4byte 0x40, 0
    .2byte 3
    .byte 0x0, 0x1, 0x0
    .byte 0x0, 0x4, 0x39, 0x8, 0x5, 0x4, 0x51, 0x0, 0x11, 0xa, 0x33, 0xf8, 0x0, 0x33, 0x0
