# A signal frame without rows (V3) covers its addresses and answers none.
# show: lookups
# expect: at 0xfff: no FDE covers the address
# expect: at 0x1000: no row covers the address
# expect: at 0x1008: no row covers the address
# expect: at 0x1009: no FDE covers the address
# expect: after a call, at 0x1000: no FDE covers the address
# expect: after a call, at 0x1009: no row covers the address
    .include "cfi.inc"
    .section .made.sframe, "a"
    .2byte 0xdee2
    .byte 3, 5, 3, 0, -8, 0
    .4byte 1, 0, 5, 0, 16
    .8byte 0xfe4
    .4byte 0x9, 0
    .2byte 0
    .byte 0x80, 0x0, 0x0
