# No CFA; the caller's SP would be 160 below a CFA that is less than 160.
# show: callers
# registers: 0=8
# expect: 0x1000..0x1040 cfa=none ra=same fp=same
# expect: fault: the row gives no CFA
# expect: 0x2000..0x2040 cfa=r0+8 ra=same fp=same
# expect: fault: address arithmetic overflows
    .include "cfi.inc"
    eh_frame
    cie
    done
    fde 0x1000, 0x40
    done
    fde 0x2000, 0x40
    def_cfa 0, 8
    done
