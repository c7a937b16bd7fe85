# A function may call from another stack and come back.
# link: -Ttext=0x400000 -Tbss=0x600000
# also: aarch64be
# show: frames
# expect: 0 0 entry
# expect: c 1 call: ra +4, cfa sp+0, fp 0x0
# expect: 30 2 call: ra +24, cfa 0x600800, fp 0x0
# expect: 24 1 return: ra +4, cfa sp+0, fp 0x0
# expect: 4 0 return
# expect: exit 0, after 15 steps with up to 2 frames
    bl at_c
    movz x8, #0x5d
    svc #0x0
at_c:
    stp x19, x30, [sp, #-16]!
    mov x19, sp
    movz x0, #0x800
    movk x0, #0x60, lsl #16
    mov sp, x0
    bl at_30
    mov sp, x19
    ldp x19, x30, [sp], #16
    ret
at_30:
    stp x29, x30, [sp, #-16]!
    ldp x29, x30, [sp], #16
    ret
    .bss
    .skip 0x1000
