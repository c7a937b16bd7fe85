# A slot that is written over by its place in the frame has the value no longer: it is exchanged
# with a register.
# check: explore
# link: -shared
#
# case: right
# with row: .cfi_register rip, rbx
# expect: clean, 6 of 6 reached
#
# case: wrong
# with row:
# expect: error, 6 of 6 reached
# expect: error eh-frame/ra-matches-truth at 0x1008..0x100e
    .globl f
    .type f, @function
f:  .cfi_startproc
    push %rbx
    .cfi_adjust_cfa_offset 8
    .cfi_offset rbx, -16
    xor %ebx, %ebx
    xchg %rbx, 8(%rsp)
    {row}
    nop
    xchg %rbx, 8(%rsp)
    .cfi_offset rip, -8
    pop %rbx
    .cfi_adjust_cfa_offset -8
    ret
    .cfi_endproc
