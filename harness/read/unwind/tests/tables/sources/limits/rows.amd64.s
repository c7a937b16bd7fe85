# As many rows as a function has bytes are fine.
# show: counts
# expect: 1 functions, 65536 rows
    .include "cfi.inc"
    eh_frame
    cie
    initial
    done
    fde 0x1000, 0x10000
    .rept 0xffff
    .byte 0x41, 0x83, 1
    .endr
    done
