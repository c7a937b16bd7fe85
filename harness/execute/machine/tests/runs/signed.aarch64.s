# The witness knows key and value of a signed return address: a callee has one of its own, a
# stripped copy signs nothing as long as another is left, and neither X17 nor a value signed
# elsewhere is the return address. The program exits with 0: every authentication succeeds.
# link: -Ttext=0x400000
# also: aarch64be
# show: frames
# expect: 0 0 entry
# expect: 20 1 call: ra +4, cfa sp+0, fp 0x0
# expect: 24 1: ra +4, cfa sp+0, fp 0x0, signed by A as 0xdd4e000000400004
# expect: 38 2 call: ra +2c, cfa sp-16, fp 0x0
# expect: 2c 1 return: ra +4, cfa sp+0, fp 0x0, signed by A as 0xdd4e000000400004
# expect: 34 1: ra +4, cfa sp+0, fp 0x0
# expect: 4 0 return
# expect: 3c 1 call: ra +8, cfa sp+0, fp 0x0
# expect: 40 1: ra +8, cfa sp+0, fp 0x0, signed by B as 0x3f06000000400008
# expect: 8 0 return
# expect: 54 1 call: ra +c, cfa sp+0, fp 0x0
# expect: 58 1: ra +c, cfa sp+0, fp 0x0, signed by A as 0x777500000040000c
# expect: 5c 1: ra +c, cfa sp+0, fp 0x0
# expect: c 0 return
# expect: 60 1 call: ra +10, cfa sp+0, fp 0x0
# expect: 64 1: ra +10, cfa sp+0, fp 0x0, signed by B as 0x901b000000400010
# expect: 74 1: ra +10, cfa sp+0, fp 0x0
# expect: 10 0 return
# expect: 78 1 call: ra +14, cfa sp+0, fp 0x0
# expect: 7c 1: ra +14, cfa sp+0, fp 0x0, signed by A as 0x1626000000400014
# expect: 14 0 return
# expect: 84 1 call: ra +18, cfa sp+0, fp 0x0
# expect: 18 0 return
# expect: exit 0, after 42 steps with up to 2 frames
    .arch armv8.3-a
    bl f
    bl g
    bl h
    bl k
    bl m
    bl p
    movz x8, #0x5d
    svc #0x0
f:
    paciasp
    stp x29, x30, [sp, #-16]!
    bl at_38
    ldp x29, x30, [sp], #16
    autiasp
    ret
at_38:
    ret
g:
    pacibsp
    stp x29, x30, [sp, #-16]!
    ldr x30, [sp, #8]
    xpaclri
    ldp x29, x30, [sp], #16
    retab
h:
    pacia x30, sp
    xpaclri
    ret
k:
    pacibz
    mov x1, x30
    xpaclri
    mov x30, x1
    autibz
    ret
m:
    paciasp
    nop
    retaa
p:
    mov x17, x30
    mov x16, sp
    pacia1716
    autia1716
    mov x1, x30
    movz x30, #0x0
    paciasp
    mov x30, x1
    ret
