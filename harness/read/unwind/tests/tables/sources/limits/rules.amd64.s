# Rules of all rows have a limit: rows of 150 registers that each change one would make memory
# grow by a factor of hundreds.
# show: broken
# expect: broken: .eh_frame+0x18: too many register rules, function 0x1000
    .include "cfi.inc"
    eh_frame
    cie
    initial
    done
    fde 0x1000, 0x10000
    .set reg, 0
    .rept 150
    offset_extended reg, 1
    .set reg, reg + 1
    .endr
    .rept 50000
    .byte 0x41, 0x83, 1
    .endr
    done
