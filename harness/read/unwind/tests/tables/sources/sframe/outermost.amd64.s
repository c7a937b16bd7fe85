# A row without words marks the outermost frame (V2 errata 2).
# show: callers
# expect: 0x1000..0x1030 cfa=none ra=undefined fp=same
# expect: outermost
    .include "cfi.inc"
    .section .made.sframe, "a"
    .2byte 0xdee2
    .byte 2, 5, 3, 0, -8, 0
    .4byte 1, 1, 2, 0, 20
    .4byte 0xfe4, 0x30, 0, 1
    .byte 0x0, 0x0, 0, 0
    .byte 0x0, 0x0
