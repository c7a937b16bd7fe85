# A callee that is a part of the prologue sets the caller's FP; one that is a part of the epilogue
# restores it; a function that keeps a frame of its own does neither.
# check: explore
#
# case: right
# with row: .cfi_def_cfa x29, 48
# expect: clean, 13 of 13 reached
#
# case: without a row
# with row:
# expect: error, 13 of 13 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x3c..0x48
    .type prologue, %function
prologue:
    stp x28, x27, [sp, #16]
    mov x29, sp
    stp x20, x19, [sp, #32]
    ret
    .size prologue, .-prologue
    .type epilogue, %function
epilogue:
    ldp x20, x19, [sp, #32]
    ldp x28, x27, [sp, #16]
    ldr x29, [sp]
    ret
    .size epilogue, .-epilogue
    .type leaf, %function
leaf:
    .cfi_startproc
    str x29, [sp, #-16]!
    .cfi_def_cfa_offset 16
    .cfi_offset x29, -16
    mov x29, xzr
    ldr x29, [sp], #16
    .cfi_def_cfa_offset 0
    .cfi_restore x29
    ret
    .cfi_endproc
    .globl f
    .type f, %function
f:  .cfi_startproc
    stp x29, x30, [sp, #-48]!
    .cfi_def_cfa_offset 48
    .cfi_offset x30, -40
    .cfi_offset x29, -48
    bl prologue
    {row}
    .cfi_offset x19, -8
    .cfi_offset x20, -16
    .cfi_offset x27, -24
    .cfi_offset x28, -32
    sub sp, sp, #64
    bl leaf
    nop
    add sp, sp, #64
    .cfi_def_cfa sp, 48
    bl epilogue
    .cfi_restore x19
    .cfi_restore x20
    .cfi_restore x27
    .cfi_restore x28
    .cfi_restore x29
    ldr x30, [sp, #8]
    add sp, sp, #48
    .cfi_def_cfa_offset 0
    .cfi_restore x30
    ret
    .cfi_endproc
    .size f, .-f
