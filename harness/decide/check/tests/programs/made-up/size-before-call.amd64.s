# Room of a made-up size is left after any call: by the code after it, it may not return,
# another path leads there, and SP below the room differs.
# check: explore
# expect: clean, 12 of 12 reached
    .globl f
f:  .cfi_startproc
    pushq %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset %rbp, -16
    movq %rsp, %rbp
    .cfi_def_cfa_register %rbp
    testl %esi, %esi
    je 1f
    movq (%rdi), %rax
    subq %rax, %rsp
    call g
1:  cmpq %rbx, -8(%rbp)
    jne 2f
    leave
    .cfi_remember_state
    .cfi_def_cfa %rsp, 8
    ret
2:  .cfi_restore_state
    call fail
    .cfi_endproc
