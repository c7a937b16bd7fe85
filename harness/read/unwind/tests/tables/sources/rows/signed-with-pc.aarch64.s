# Bit 0 of RA_SIGN_STATE is signed, bit 1 with the PC (DWARF for the Arm 64-bit Architecture
# 2025Q4, 4.1 and 4.4). A restore of the column that the reader uses for it, 45, has no effect.
# also: aarch64be
# expect: 0x1000..0x1004 cfa=sp ra=same fp=same
# expect: 0x1004..0x1008 cfa=sp ra=same fp=same signed:A+pc
# expect: 0x1008..0x100c cfa=sp ra=same fp=same signed:A+pc
# expect: 0x100c..0x1010 cfa=sp ra=same fp=same
# expect: 0x1010..0x1014 cfa=sp ra=same fp=same signed:A
# expect: 0x1014..0x1018 cfa=sp ra=same fp=same signed:A+pc
# expect: 0x1018..0x1100 cfa=sp ra=same fp=same signed:A
    .include "cfi.inc"
    simple
    advance 1
    negate_ra_state_with_pc
    advance 1
    restore 45
    advance 1
    negate_ra_state_with_pc
    advance 1
    negate_ra_state
    advance 1
    set_ra_state 2, -4
    advance 1
    set_ra_state 1, -8
    done
