# A call that does not come back leads nowhere: the state after it is that of the jump to the
# label, 8 bytes less.
# check: explore
# expect: clean, 5 of 5 reached
    .globl f
f:  .cfi_startproc
    testl %edi, %edi
    je 1f
    pushq %rax
    .cfi_def_cfa_offset 16
    call die
    .p2align 3
1:  .cfi_def_cfa_offset 8
    ret
    .cfi_endproc
