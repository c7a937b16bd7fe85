# The same function written as `.sframe` and as `.eh_frame` gives the same rows and callers,
# through the same code (SFrame V3).
# show: callers lookups
# expect: at 0xfff: no FDE covers the address
# expect: at 0x1000: row from 0x1000
# expect: at 0x102f: row from 0x1004
# expect: at 0x1030: no FDE covers the address
# expect: after a call, at 0x1000: no FDE covers the address
# expect: after a call, at 0x1030: row from 0x1004
# expect: 0x1000..0x1001 cfa=rsp+8 ra=[cfa-8] fp=same
# expect: caller: cfa sp+8 ra [sp] sp sp+8 fp sp+512
# expect: 0x1001..0x1004 cfa=rsp+16 ra=[cfa-8] fp=[cfa-16]
# expect: caller: cfa sp+16 ra [sp+8] sp sp+16 fp [sp]
# expect: 0x1004..0x1030 cfa=rbp+16 ra=[cfa-8] fp=[cfa-16]
# expect: caller: cfa sp+528 ra [sp+520] sp sp+528 fp [sp+512]
    .include "cfi.inc"
    eh_frame
    cie
    initial
    done
    fde 0x1000, 0x30
    advance 1
    def_cfa_offset 16
    offset 6, 2
    advance 3
    def_cfa_register 6
    done
    .section .made.sframe, "a"
    .2byte 0xdee2
    .byte 3, 5, 3, 0, -8, 0
    .4byte 1, 3, 16, 0, 16
    .8byte 0xfe4
    .4byte 0x30, 0
    .2byte 3
    .byte 0x0, 0x0, 0x0
    .byte 0x0, 0x3, 0x8, 0x1, 0x5, 0x10, 0xf0, 0x4, 0x4, 0x10, 0xf0
