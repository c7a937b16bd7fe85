# Advanced SIMD clears the bits above the 128 that it writes (Arm ARM DDI 0487, A1.4.3), also the
# second and the third time; an instruction that writes another register leaves them. Each result
# is 0 or all ones of the last element.
# link: -Ttext=0x400000
# also: aarch64be
# show: end registers=10,11,12,13,14,15,16,17,18,19
# expect: register 10 is 0x0
# expect: register 11 is 0x0
# expect: register 12 is 0x0
# expect: register 13 is 0x0
# expect: register 14 is 0x0
# expect: register 15 is 0x0
# expect: register 16 is 0x0
# expect: register 17 is 0xffffffffffffffff
# expect: register 18 is 0xffffffffffffffff
# expect: register 19 is 0xffffffffffffffff
# expect: exit 0, after 203 steps with up to 0 frames
    .arch armv8.2-a+sve+sha3
    .macro try to, instruction:vararg
    mov x\to, #0
    mov x1, #3
1:  mov z3.d, #-1
    \instruction
    lastb x2, p0, z3.d
    orr x\to, x\to, x2
    sub x1, x1, #1
    cbnz x1, 1b
    .endm
    ptrue p0.b
    try 10, saddl v3.8h, v1.8b, v2.8b
    try 11, addp d3, v1.2d
    try 12, sshll v3.8h, v1.8b, #0
    try 13, rev64 v3.8b, v1.8b
    try 14, eor3 v3.16b, v1.16b, v2.16b, v3.16b
    try 15, fadd d3, d1, d0
    try 16, fmov d3, x1
    try 17, fmov x3, d1
    try 18, umov w3, v1.s[0]
    try 19, nop
    mov x8, #93
    svc #0
