# Judged at every step or not, the outcome is the same: `shared` is called twice, and then
# jumped to by `stub`, which reserved 16 bytes of stack that no row of `shared` accounts for:
# `shared` frees them. Its instructions are known by then.
# check: execute
# link:
# show: steps
# expect: error, exited 0, 41 of 41 steps judged
# expect: error eh-frame/cfa-matches-truth at 0x4000a4..0x4000b0 steps 6
    .globl _start
_start: .cfi_startproc
    .cfi_undefined x30
    mov x5, #0
    bl shared
    bl shared
    mov x5, #1
    bl stub
    bl stub
    mov x0, #0
    mov x8, #93
    svc #0
    .cfi_endproc
stub: .cfi_startproc
    sub sp, sp, #16
    .cfi_adjust_cfa_offset 16
    b shared
    .cfi_endproc
    .type shared, %function
shared: .cfi_startproc
    cbz x5, 1f
    mov x2, #1
    add sp, sp, #16
1:  mov x3, #1
    mov x4, #1
    b callee
    .cfi_endproc
    .size shared, . - shared
    .skip 64
    .type callee, %function
callee: .cfi_startproc
    mov x3, #1
    ret
    .cfi_endproc
    .size callee, . - callee
