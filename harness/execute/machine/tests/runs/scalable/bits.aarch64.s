# Bits are chosen in the whole vector: the last element, which the emulator's interface does not
# give, after eor3, bcax, bsl, bsl1n, bsl2n and nbsl of a = 0b1100, k = 0b1010 and m = 0b0110
# (Arm ARM DDI 0487, C8.2).
# link: -Ttext=0x400000
# vector-bits: 512
# show: end registers=10,11,12,13,14,15
# expect: register 10 is 0x0
# expect: register 11 is 0x8
# expect: register 12 is 0xc
# expect: register 13 is 0x6
# expect: register 14 is 0xfffffffffffffff9
# expect: register 15 is 0xfffffffffffffff3
# expect: exit 0, after 33 steps with up to 0 frames
    .arch armv8.5-a+sve2
    .macro try to, instruction:vararg
    mov z3.d, #12
    mov z1.d, #10
    mov z2.d, #6
    \instruction
    lastb \to, p0, z3.d
    .endm
    ptrue p0.b
    try x10, eor3 z3.d, z3.d, z2.d, z1.d
    try x11, bcax z3.d, z3.d, z2.d, z1.d
    try x12, bsl z3.d, z3.d, z2.d, z1.d
    try x13, bsl1n z3.d, z3.d, z2.d, z1.d
    try x14, bsl2n z3.d, z3.d, z2.d, z1.d
    try x15, nbsl z3.d, z3.d, z2.d, z1.d
    mov x8, #93
    svc #0
