# Letters of `.debug_frame` without `z`.
# expect: 0x1000..0x1040 cfa=sp ra=same fp=undefined signed:B
# expect: 0x2000..0x2040 cfa=sp ra=same fp=undefined signed:B signal
# expect: 0x3000..0x3040 cfa=sp ra=same fp=undefined signed:A signal
    .include "cfi.inc"
    debug_frame
    cie c0, B
    initial
    done
    fde 0x1000, 0x40, c0
    negate_ra_state
    done
    cie c1, SB
    initial
    done
    fde 0x2000, 0x40, c1
    negate_ra_state
    done
    cie c2, S
    initial
    done
    fde 0x3000, 0x40, c2
    negate_ra_state
    done
