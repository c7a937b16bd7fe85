# What longjmp restores is described by its own rows as the caller already, before it switches:
# the row of a register other than SP and FP names a frame that nothing shows to be wrong.
# check: explore
# expect: undecided, 3 of 9 reached
# expect: undecided unconfirmed-state at .text+0x0..0x1d: 6 answers
    .globl jump
    .type jump, @function
jump:
    .cfi_startproc
    mov 48(%rdi), %r8
    mov 8(%rdi), %r9
    mov 56(%rdi), %rdx
    .cfi_def_cfa %rdi, 0
    .cfi_register %rsp, %r8
    .cfi_register %rbp, %r9
    .cfi_register %rip, %rdx
    mov (%rdi), %rbx
    mov 16(%rdi), %r12
    mov %esi, %eax
    mov %r8, %rsp
    mov %r9, %rbp
    jmp *%rdx
    .cfi_endproc
    .size jump, .-jump
