# A thread executes with frames of its own, on its own stack: the first one clones it, waits
# until the word is not 0, and until the number of the thread is cleared, and ends with both;
# the thread calls f, wakes the other, and ends. The status is 40 and 2.
# link: -Ttext=0x400000
# also: aarch64be
# show: frames
# expect: 0 0 entry
# expect: 28 0 entry in thread 2
# expect: 7c 0 jump in thread 2
# expect: a0 1 call in thread 2: ra +80, cfa sp-16384, fp 0x0
# expect: 80 0 return in thread 2
# expect: 44 0
# expect: 6c 0 jump
# expect: exit 42, after 40 steps with up to 1 frames
    sub x19, sp, #0x100
    mov x8, #0xdc
    mov x0, #0xf00
    movk x0, #0x31, lsl #16
    sub x1, sp, #0x4, lsl #12
    add x2, x19, #0x8
    add x4, x19, #0x10
    mov w5, #0x1
    str w5, [x19, #16]
    svc #0x0
    cbz w0, thread
at_2c:
    mov x8, #0x62
    mov x0, x19
    mov x1, #0x0
    mov x2, #0x0
    mov x3, #0x0
    svc #0x0
    ldr w20, [x19]
    cbz w20, at_2c
at_4c:
    ldr w2, [x19, #16]
    cbz w2, at_6c
    mov x8, #0x62
    add x0, x19, #0x10
    mov x1, #0x0
    mov x3, #0x0
    svc #0x0
    b at_4c
at_6c:
    mov x8, #0x5e
    ldr w0, [x19, #8]
    add w0, w0, w20
    svc #0x0
thread:
    bl f
    mov x8, #0x62
    mov x0, x19
    mov x1, #0x1
    mov x2, #0x1
    svc #0x0
    mov x8, #0x5d
    mov x0, #0x0
    svc #0x0
f:
    stp x29, x30, [sp, #-16]!
    mov w5, #0x28
    str w5, [x19]
    ldp x29, x30, [sp], #16
    ret
