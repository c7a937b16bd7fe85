# Paths below room of a made-up size join the others: the wrong row is found with and without
# it.
# check: explore
# expect: error, 12 of 12 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x15..0x1a
    .globl f
f:  .cfi_startproc
    pushq %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset %rbp, -16
    movq %rsp, %rbp
    .cfi_def_cfa_register %rbp
    testl %edi, %edi
    je 1f
    subq %rax, %rsp
1:  testl %esi, %esi
    je 2f
    subq %rax, %rsp
    movq %rsp, %rdi
    .cfi_remember_state
    .cfi_def_cfa %rsp, 8
    call g@PLT
    .cfi_restore_state
2:  leave
    .cfi_def_cfa %rsp, 8
    ret
    .cfi_endproc
