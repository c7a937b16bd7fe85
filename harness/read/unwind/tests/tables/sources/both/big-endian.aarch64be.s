# The same function written as `.sframe` and as `.eh_frame` gives the same rows and callers,
# through the same code, big-endian.
# show: callers lookups
# expect: at 0xfff: no FDE covers the address
# expect: at 0x1000: row from 0x1000
# expect: at 0x100f: row from 0x1004
# expect: at 0x1010: no FDE covers the address
# expect: after a call, at 0x1000: no FDE covers the address
# expect: after a call, at 0x1010: row from 0x1004
# expect: 0x1000..0x1004 cfa=sp ra=same fp=same
# expect: caller: cfa sp ra r30 sp sp fp sp+512
# expect: 0x1004..0x1010 cfa=sp+16 ra=[cfa-16] fp=[cfa-8]
# expect: caller: cfa sp+16 ra [sp] sp sp+16 fp [sp+8]
    .include "cfi.inc"
    eh_frame
    cie
    initial
    done
    fde 0x1000, 0x10
    advance 1
    def_cfa_offset 16
    offset 30, 2
    offset 29, 1
    done
    .section .made.sframe, "a"
    .2byte 0xdee2
    .byte 2, 5, 1, 0, 0, 0
    .4byte 1, 2, 8, 0, 20
    .4byte 0xfe4, 0x10, 0, 2
    .byte 0x0, 0x0, 0, 0
    .byte 0x0, 0x3, 0x0, 0x4, 0x7, 0x10, 0xf0, 0xf8
