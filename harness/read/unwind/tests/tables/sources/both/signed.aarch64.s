# The same function written as `.sframe` and as `.eh_frame` gives the same rows and callers,
# through the same code: signed return addresses. The saved word has bits above the address,
# which are removed.
# show: callers lookups
# expect: at 0xfff: no FDE covers the address
# expect: at 0x1000: row from 0x1000
# expect: at 0x101f: row from 0x1008
# expect: at 0x1020: no FDE covers the address
# expect: after a call, at 0x1000: no FDE covers the address
# expect: after a call, at 0x1020: row from 0x1008
# expect: 0x1000..0x1004 cfa=sp ra=same fp=same
# expect: caller: cfa sp ra r30 sp sp fp sp+512
# expect: 0x1004..0x1008 cfa=sp ra=same fp=same signed:B
# expect: caller: cfa sp ra r30 sp sp fp sp+512, signed by B as 0x101e
# expect: 0x1008..0x1020 cfa=sp+32 ra=[cfa-24] fp=[cfa-32] signed:B
# expect: caller: cfa sp+32 ra sp+8 sp sp+32 fp [sp], signed by B as 0xa000000070000408
    .include "cfi.inc"
    eh_frame
    cie augmentation=zRB
    initial
    done
    fde 0x1000, 0x20
    advance 1
    negate_ra_state
    advance 1
    def_cfa_offset 32
    offset 30, 3
    offset 29, 4
    done
    .section .made.sframe, "a"
    .2byte 0xdee2
    .byte 2, 5, 2, 0, 0, 0
    .4byte 1, 3, 11, 0, 20
    .4byte 0xfe4, 0x20, 0, 3
    .byte 0x20, 0x0, 0, 0
    .byte 0x0, 0x3, 0x0, 0x4, 0x83, 0x0, 0x8, 0x87, 0x20, 0xe8, 0xe0
