# Many FDEs of one long CIE: running the CIE again for each would be five billion instructions.
# show: counts
# expect: 10000 functions, 10000 rows
    .include "cfi.inc"
    eh_frame
    cie
    initial
    .skip 500000
    done
    .set start, 0x1000
    .rept 10000
    fde start, 16
    done
    .set start, start + 16
    .endr
