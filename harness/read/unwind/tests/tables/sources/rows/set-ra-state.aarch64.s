# The signed state is set outright: distances of several bytes, states with a longer encoding
# than needed, and one that is not defined.
# also: aarch64be
# expect: broken: .eh_frame+0x50: a value of RA_SIGN_STATE that has no meaning, function 0x2000
# expect: 0x1000..0x1004 cfa=sp ra=same fp=same
# expect: 0x1004..0x1008 cfa=sp+16 ra=same fp=same signed:A
# expect: 0x1008..0x100c cfa=sp+32 ra=same fp=same
# expect: 0x100c..0x1010 cfa=sp+48 ra=same fp=same signed:A+pc
# expect: 0x1010..0x1014 cfa=sp+64 ra=same fp=same
# expect: 0x1014..0x1100 cfa=sp+80 ra=same fp=same signed:A+pc
    .include "cfi.inc"
    simple
    advance 1
    set_ra_state 1, 0
    def_cfa_offset 16
    advance 1
    set_ra_state 0, -4
    def_cfa_offset 32
    advance 1
    set_ra_state 2, -5000
    def_cfa_offset 48
    advance 1
    .byte 0x2b, 0x80, 0x80, 0
    .sleb128 300
    def_cfa_offset 64
    advance 1
    .byte 0x2b, 0x82, 0
    .sleb128 0
    def_cfa_offset 80
    done
    fde 0x2000, 16
    set_ra_state 3, 0
    done
