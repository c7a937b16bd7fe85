# Remembered states have a limit.
# show: broken
# expect: broken: .eh_frame+0x18: too many remembered states, function 0x1000
    .include "cfi.inc"
    eh_frame
    cie
    initial
    done
    fde 0x1000, 0x10000
    .fill 1000000, 1, 0x0a
    done
