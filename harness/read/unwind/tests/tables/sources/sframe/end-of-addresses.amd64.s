# Blocks up to the end of the address space, of 16 bytes with rows at 0 and 14: the last one
# ends before its second row.
# sframe-at: ffffffffffffefd2
# expect: 0xffffffffffffffd2..0xffffffffffffffe0 cfa=rsp+8 ra=[cfa-8] fp=same
# expect: 0xffffffffffffffe0..0xffffffffffffffe2 cfa=rsp+16 ra=[cfa-8] fp=same
# expect: 0xffffffffffffffe2..0xfffffffffffffff0 cfa=rsp+8 ra=[cfa-8] fp=same
# expect: 0xfffffffffffffff0..0xfffffffffffffff2 cfa=rsp+16 ra=[cfa-8] fp=same
# expect: 0xfffffffffffffff2..0xfffffffffffffffc cfa=rsp+8 ra=[cfa-8] fp=same
    .include "cfi.inc"
    .section .made.sframe, "a"
    .2byte 0xdee2
    .byte 2, 5, 3, 0, -8, 0
    .4byte 1, 2, 6, 0, 20
    .4byte 0xfe4, 0x2a, 0, 2
    .byte 0x10, 0x10, 0, 0
    .byte 0x0, 0x3, 0x8, 0xe, 0x3, 0x10
