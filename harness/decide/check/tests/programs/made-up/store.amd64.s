# A store at a made-up place does not reach what is saved.
# check: explore
# expect: clean, 6 of 6 reached
    .globl f
f:  .cfi_startproc
    pushq %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset %rbp, -16
    xorl %ebp, %ebp
    leaq -8(%rsp), %rax
    movb %dil, 8(%rax,%rbp)
    popq %rbp
    .cfi_def_cfa_offset 8
    ret
    .cfi_endproc
