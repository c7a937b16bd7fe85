# Letters for the key and for signal frames, in any order; all in one section, so that letters
# of one CIE would affect another. In order: zR, zRS, zRB, zBR, zRSB, zRBS, zPLR, zPLRB, zPLRSB,
# zBPLR, zRG, zPRBG.
# also: aarch64be
# expect: 0x1000..0x1004 cfa=sp ra=same fp=same
# expect: 0x1004..0x1040 cfa=sp ra=same fp=same signed:A
# expect: 0x1100..0x1104 cfa=sp ra=same fp=same signal
# expect: 0x1104..0x1140 cfa=sp ra=same fp=same signed:A signal
# expect: 0x1200..0x1204 cfa=sp ra=same fp=same
# expect: 0x1204..0x1240 cfa=sp ra=same fp=same signed:B
# expect: 0x1300..0x1304 cfa=sp ra=same fp=same
# expect: 0x1304..0x1340 cfa=sp ra=same fp=same signed:B
# expect: 0x1400..0x1404 cfa=sp ra=same fp=same signal
# expect: 0x1404..0x1440 cfa=sp ra=same fp=same signed:B signal
# expect: 0x1500..0x1504 cfa=sp ra=same fp=same signal
# expect: 0x1504..0x1540 cfa=sp ra=same fp=same signed:B signal
# expect: 0x1600..0x1604 cfa=sp ra=same fp=same
# expect: 0x1604..0x1640 cfa=sp ra=same fp=same signed:A
# expect: 0x1700..0x1704 cfa=sp ra=same fp=same
# expect: 0x1704..0x1740 cfa=sp ra=same fp=same signed:B
# expect: 0x1800..0x1804 cfa=sp ra=same fp=same signal
# expect: 0x1804..0x1840 cfa=sp ra=same fp=same signed:B signal
# expect: 0x1900..0x1904 cfa=sp ra=same fp=same
# expect: 0x1904..0x1940 cfa=sp ra=same fp=same signed:B
# expect: 0x1a00..0x1a04 cfa=sp ra=same fp=same
# expect: 0x1a04..0x1a40 cfa=sp ra=same fp=same signed:A
# expect: 0x1b00..0x1b04 cfa=sp ra=same fp=same
# expect: 0x1b04..0x1b40 cfa=sp ra=same fp=same signed:B
    .include "cfi.inc"
    eh_frame
    cie c0, zR
    initial
    done
    fde 0x1000, 0x40, c0
    advance 1
    negate_ra_state
    done
    cie c1, zRS
    initial
    done
    fde 0x1100, 0x40, c1
    advance 1
    negate_ra_state
    done
    cie c2, zRB
    initial
    done
    fde 0x1200, 0x40, c2
    advance 1
    negate_ra_state
    done
    cie c3, zBR
    initial
    done
    fde 0x1300, 0x40, c3
    advance 1
    negate_ra_state
    done
    cie c4, zRSB
    initial
    done
    fde 0x1400, 0x40, c4
    advance 1
    negate_ra_state
    done
    cie c5, zRBS
    initial
    done
    fde 0x1500, 0x40, c5
    advance 1
    negate_ra_state
    done
    cie c6, zPLR
    initial
    done
    fde 0x1600, 0x40, c6
    advance 1
    negate_ra_state
    done
    cie c7, zPLRB
    initial
    done
    fde 0x1700, 0x40, c7
    advance 1
    negate_ra_state
    done
    cie c8, zPLRSB
    initial
    done
    fde 0x1800, 0x40, c8
    advance 1
    negate_ra_state
    done
    cie c9, zBPLR
    initial
    done
    fde 0x1900, 0x40, c9
    advance 1
    negate_ra_state
    done
    cie c10, zRG
    initial
    done
    fde 0x1a00, 0x40, c10
    advance 1
    negate_ra_state
    done
    cie c11, zPRBG
    initial
    done
    fde 0x1b00, 0x40, c11
    advance 1
    negate_ra_state
    done
