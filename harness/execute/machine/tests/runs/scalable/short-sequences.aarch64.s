# General registers have the common short sequences (FEAT_CSSC): of -5 in x2 and 8 in x3.
# link: -Ttext=0x400000
# show: end registers=10,11,12,13,14,15,16,17,18,19
# expect: register 10 is 0x5
# expect: register 11 is 0x5
# expect: register 12 is 0x3f
# expect: register 13 is 0x3
# expect: register 14 is 0x8
# expect: register 15 is 0xfffffffffffffffb
# expect: register 16 is 0xfffffffb
# expect: register 17 is 0x8
# expect: register 18 is 0xfffffffffffffffd
# expect: register 19 is 0x4
# expect: exit 0, after 14 steps with up to 0 frames
    mov x2, #-5
    mov x3, #8
    .inst 0xdac0204a // abs x10, x2
    .inst 0x5ac0204b // abs w11, w2
    .inst 0xdac01c4c // cnt x12, x2
    .inst 0xdac0186d // ctz x13, x3
    .inst 0x9ac3604e // smax x14, x2, x3
    .inst 0x9ac3644f // umax x15, x2, x3
    .inst 0x1ac36850 // smin w16, w2, w3
    .inst 0x9ac36c51 // umin x17, x2, x3
    .inst 0x91c3f452 // smax x18, x2, #-3
    .inst 0x91cc1073 // umin x19, x3, #4
    mov x8, #93
    svc #0
