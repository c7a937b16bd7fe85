# A store into an allocation of no bytes hits no save slot: a string is copied only if its
# length is positive, the made-up length is zero, and exploration goes both ways.
# check: explore
# expect: clean, 11 of 11 reached
    .globl f
f:  .cfi_startproc
    pushq %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset %rbp, -16
    movq %rsp, %rbp
    .cfi_def_cfa_register %rbp
    movl %edi, %eax
    andl $0, %eax
    subq %rax, %rsp
    cmpl $20, %edi
    jle 1f
    movq $7, (%rsp)
    movq $7, 8(%rsp)
    nop
1:  leave
    .cfi_def_cfa %rsp, 8
    ret
    .cfi_endproc
