# A function answers again after one that lies inside it: 0x1000..0x1030 with sp+8, and
# 0x1010..0x1020 with sp+16.
# expect: 0x1000..0x1030 cfa=rsp+8 ra=[cfa-8] fp=same
# expect: 0x1010..0x1020 cfa=rsp+16 ra=[cfa-8] fp=same
# expect: 0x1000..0x1030 cfa=rsp+8 ra=[cfa-8] fp=same
    .include "cfi.inc"
    .section .made.sframe, "a"
    .2byte 0xdee2
    .byte 2, 5, 3, 0, -8, 0
    .4byte 2, 2, 6, 0, 40
    .4byte 0xfe4, 0x30, 0, 1
    .byte 0x0, 0x0, 0, 0
    .4byte 0xfe0, 0x10, 3, 1
    .byte 0x0, 0x0, 0, 0
    .byte 0x0, 0x3, 0x8, 0x0, 0x3, 0x10
