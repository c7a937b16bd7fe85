# A handler begins on a stack that a function went to: the kernel's signal frame extends below
# the range assumed for a stack of which only the end is known.
# link: -Ttext=0x400000
# expect: 0 0 entry
# expect: 68 1 call
# expect: 84 2 call
# expect: 98 4 signal
# expect: a0 3 return
# expect: 94 2 resumed
# expect: 78 1 return
# expect: 5c 0 return
# expect: exit 0, after 41 steps with up to 4 frames
    mov x8, #0xde
    mov x0, #0x0
    mov x1, #0x10000
    mov x2, #0x3
    mov x3, #0x22
    mov x4, #0xffffffffffffffff
    mov x5, #0x0
    svc #0x0
    add x19, x0, #0x10, lsl #12
    sub sp, sp, #0x20
    adr x0, at_98
    adr x1, at_a0
    mov x2, #0x4
    movk x2, #0x400, lsl #16
    stp x0, x2, [sp]
    stp x1, xzr, [sp, #16]
    mov x0, #0xa
    mov x1, sp
    mov x2, #0x0
    mov x3, #0x8
    mov x8, #0x86
    svc #0x0
    bl at_68
    mov x0, #0x0
    mov x8, #0x5d
    svc #0x0
at_68:
    stp x29, x30, [sp, #-16]!
    mov x29, sp
    mov sp, x19
    bl at_84
    mov sp, x29
    ldp x29, x30, [sp], #16
    ret
at_84:
    mov x0, #0x1
    mov x1, #0xa
    mov x8, #0x81
    svc #0x0
    ret
at_98:
    ret
    nop
at_a0:
    mov x8, #0x8b
    svc #0x0
