# Blocks without a row are not searched: four billion of one byte, with a row after the first
# byte.
    .include "cfi.inc"
    .section .made.sframe, "a"
    .2byte 0xdee2
    .byte 2, 5, 3, 0, -8, 0
    .4byte 1, 1, 3, 0, 20
    .4byte 0xfe4, 0xffffffff, 0, 1
    .byte 0x10, 0x1, 0, 0
    .byte 0x1, 0x3, 0x8
