# A store through a register that the caller set has an unknown target, and moves no slot.
# check: explore
# link: -shared
#
# case: right
# with row: -16
# expect: clean, 5 of 5 reached
#
# case: wrong
# with row: -24
# expect: error, 5 of 5 reached
# expect: error eh-frame/fp-matches-truth at 0x1001..0x1011
    .globl f
    .type f, @function
f:  .cfi_startproc
    push %rbp
    .cfi_adjust_cfa_offset 8
    .cfi_offset rbp, {row}
    movq $0, (%rdi)
    movq $0, 8(%rsi)
    pop %rbp
    .cfi_adjust_cfa_offset -8
    .cfi_same_value rbp
    ret
    .cfi_endproc
