# A stack may begin at the end of its memory.
# link: -Ttext=0x400000 -Tbss=0x600000
# show: frames
# expect: 0 0 entry
# expect: 18 1 call: ra +10, cfa 0x601000, fp 0x0
# expect: 10 0 return
# expect: exit 0, after 9 steps with up to 1 frames
    movz x0, #0x1000
    movk x0, #0x60, lsl #16
    mov sp, x0
    bl at_18
    movz x8, #0x5d
    svc #0x0
at_18:
    stp x29, x30, [sp, #-16]!
    ldp x29, x30, [sp], #16
    ret
    .bss
    .skip 0x1000
