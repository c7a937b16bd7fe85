# The same function written as `.sframe` and as `.eh_frame` gives the same rows and callers,
# through the same code: saves in memory and in registers. The caller's SP is 160 below the CFA.
# show: callers lookups
# expect: at 0xfff: no FDE covers the address
# expect: at 0x1000: row from 0x1000
# expect: at 0x103f: row from 0x1012
# expect: at 0x1040: no FDE covers the address
# expect: after a call, at 0x1000: no FDE covers the address
# expect: after a call, at 0x1040: row from 0x1012
# expect: 0x1000..0x1006 cfa=r15+160 ra=same fp=same
# expect: caller: cfa sp+160 ra r14 sp sp fp sp+512
# expect: 0x1006..0x100c cfa=r15+160 ra=[cfa-48] fp=[cfa-72]
# expect: caller: cfa sp+160 ra [sp+112] sp sp fp [sp+88]
# expect: 0x100c..0x1012 cfa=r15+320 ra=[cfa-48] fp=[cfa-72]
# expect: caller: cfa sp+320 ra [sp+272] sp sp+160 fp [sp+248]
# expect: 0x1012..0x1040 cfa=r15+160 ra=f0 fp=f2
# expect: caller: cfa sp+160 ra r16 sp sp fp r17
    .include "cfi.inc"
    eh_frame
    cie
    initial
    done
    fde 0x1000, 0x40
    advance 6
    offset 14, 6
    offset 11, 9
    advance 6
    def_cfa_offset 320
    advance 6
    def_cfa_offset 160
    register 14, 16
    register 11, 17
    done
    .section .made.sframe, "a"
    .2byte 0xdee2
    .byte 2, 5, 4, 0, 0, 0
    .4byte 1, 4, 18, 0, 20
    .4byte 0xfe4, 0x40, 0, 4
    .byte 0x0, 0x0, 0, 0
    .byte 0x0, 0x3, 0x0, 0x6, 0x7, 0x0, 0xd0, 0xb8, 0xc, 0x7, 0x14, 0xd0, 0xb8, 0x12, 0x7, 0x0, 0x21, 0x23
