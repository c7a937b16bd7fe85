# Repeating blocks repeat their rows: three stubs of 16 bytes, where one row applies in every
# block.
# show: ids
# expect: 0x1000..0x100b cfa=rsp+8 ra=[cfa-8] fp=same RowId { function: 0, index: 0 }
# expect: 0x100b..0x1010 cfa=rsp+16 ra=[cfa-8] fp=same RowId { function: 0, index: 1 }
# expect: 0x1010..0x101b cfa=rsp+8 ra=[cfa-8] fp=same RowId { function: 0, index: 0 }
# expect: 0x101b..0x1020 cfa=rsp+16 ra=[cfa-8] fp=same RowId { function: 0, index: 1 }
# expect: 0x1020..0x102b cfa=rsp+8 ra=[cfa-8] fp=same RowId { function: 0, index: 0 }
# expect: 0x102b..0x1030 cfa=rsp+16 ra=[cfa-8] fp=same RowId { function: 0, index: 1 }
    .include "cfi.inc"
    .section .made.sframe, "a"
    .2byte 0xdee2
    .byte 2, 5, 3, 0, -8, 0
    .4byte 1, 2, 6, 0, 20
    .4byte 0xfe4, 0x30, 0, 2
    .byte 0x10, 0x10, 0, 0
    .byte 0x0, 0x3, 0x8, 0xb, 0x3, 0x10
