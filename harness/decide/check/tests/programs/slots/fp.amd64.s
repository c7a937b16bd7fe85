# A slot that is written over by its place in the frame has the value no longer: FP, which still
# has its value.
# check: explore
# link: -shared
#
# case: right
# with row: .cfi_same_value rbp
# expect: clean, 5 of 5 reached
#
# case: wrong
# with row:
# expect: error, 5 of 5 reached
# expect: error eh-frame/fp-matches-truth at 0x1008..0x100d
    .globl f
    .type f, @function
f:  .cfi_startproc
    push %rbp
    .cfi_adjust_cfa_offset 8
    .cfi_offset rbp, -16
    mov %rbp, %r11
    mov %rdi, (%rsp)
    {row}
    nop
    add $8, %rsp
    .cfi_adjust_cfa_offset -8
    .cfi_same_value rbp
    ret
    .cfi_endproc
