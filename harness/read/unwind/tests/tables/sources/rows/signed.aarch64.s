# The signed state toggles and is remembered; a restore of its column (34) gives that of the
# CIE.
# also: aarch64be
# expect: 0x1000..0x1004 cfa=sp ra=same fp=same
# expect: 0x1004..0x1008 cfa=sp ra=same fp=same signed:A
# expect: 0x1008..0x100c cfa=sp ra=same fp=same
# expect: 0x100c..0x1010 cfa=sp ra=same fp=same signed:A
# expect: 0x1010..0x1014 cfa=sp ra=same fp=same
# expect: 0x1014..0x1018 cfa=sp ra=same fp=same signed:A
# expect: 0x1018..0x1100 cfa=sp ra=same fp=same
    .include "cfi.inc"
    simple
    advance 1
    negate_ra_state
    remember_state
    advance 1
    negate_ra_state
    advance 1
    restore_state
    advance 1
    negate_ra_state_with_pc
    advance 1
    negate_ra_state_with_pc
    advance 1
    restore 34
    done
