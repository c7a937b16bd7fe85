# A function without a body, as gcc compiles one that is unreachable, falls into what follows: the cold part
# of another function, whose rows it says nothing of.
# check: explore
# expect: clean, 12 of 12 reached
    .globl empty
    .type empty, @function
empty: .cfi_startproc
    endbr64
    .cfi_endproc
    .size empty, . - empty
    .type f.cold, @function
f.cold: .cfi_startproc
    .cfi_def_cfa_offset 32
    .cfi_offset %rbx, -16
    leaq 8(%rsp), %rdi
    call die
    .cfi_endproc
    .size f.cold, . - f.cold
    .globl f
    .type f, @function
f:  .cfi_startproc
    pushq %rbx
    .cfi_def_cfa_offset 16
    .cfi_offset %rbx, -16
    subq $16, %rsp
    .cfi_def_cfa_offset 32
    movq %rdi, %rbx
    call g
    testl %eax, %eax
    jne f.cold
    addq $16, %rsp
    .cfi_def_cfa_offset 16
    popq %rbx
    .cfi_def_cfa_offset 8
    ret
    .cfi_endproc
    .size f, . - f
