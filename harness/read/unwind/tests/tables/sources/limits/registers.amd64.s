# Registers of one row have a limit.
# show: broken
# expect: broken: .eh_frame+0x18: too many registers with a rule, function 0x1000
    .include "cfi.inc"
    eh_frame
    cie
    initial
    done
    fde 0x1000, 0x10000
    .set reg, 0
    .rept 0x4000
    offset_extended reg, 1
    .set reg, reg + 1
    .endr
    done
