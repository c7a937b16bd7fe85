# A callee is seen to overwrite a register that it need not keep: a CFA in that register is wrong
# after the call.
# check: explore
# expect: error, 7 of 7 reached
# expect: error eh-frame/ra-matches-truth at .text+0x14..0x1c
    .type overwrites, %function
overwrites:
    .cfi_startproc
    mov x9, #0
    ret
    .cfi_endproc
    .size overwrites, .-overwrites
    .globl f
    .type f, %function
f:  .cfi_startproc
    mov x9, sp
    .cfi_def_cfa x9, 0
    str x30, [sp, #-16]!
    .cfi_offset x30, -16
    bl overwrites
    nop
    ldr x30, [sp], #16
    .cfi_def_cfa sp, 0
    .cfi_restore x30
    ret
    .cfi_endproc
    .size f, .-f
