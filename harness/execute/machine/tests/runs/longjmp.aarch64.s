# A longjmp lands where SP equals the CFA of the frame that it abandons.
# link: -Ttext=0x400000 -Tbss=0x600000
# also: aarch64be
# show: frames
# expect: 0 0 entry
# expect: c 1 call: ra +4, cfa sp+0, fp 0x0
# expect: 2c 2 call: ra +18, cfa sp-16, fp 0x0
# expect: 18 1 return: ra +4, cfa sp+0, fp 0x0
# expect: 3c 2 call: ra +20, cfa sp-16, fp 0x0
# expect: 48 3 call: ra +44, cfa sp-16, fp 0x0
# expect: 18 1 unwound: ra +4, cfa sp+0, fp 0x0
# expect: 24 1 jump
# expect: 4 0 return
# expect: exit 1, after 21 steps with up to 3 frames
    bl F
    movz x8, #0x5d
    svc #0x0
F:
    stp x29, x30, [sp, #-16]!
    movz x20, #0x60, lsl #16
    bl setjmp
    cbnz x0, at_24
    bl g
    udf #0
at_24:
    ldp x29, x30, [sp], #16
    ret
setjmp:
    mov x2, sp
    stp x30, x2, [x20]
    movz x0, #0x0
    ret
g: // g, which uses no stack
    mov x19, x30
    bl longjmp
    udf #0
longjmp:
    ldp x30, x2, [x20]
    mov sp, x2
    movz x0, #0x1
    br x30
    .bss
    .skip 0x1000
