# A pointer that walks through an array moves no slot: in libarchive the loop ends after two
# words, which exploration does not know, and goes on to the slots of FP and return address.
# check: explore
# expect: clean, 11 of 11 reached
    .globl f
f:  .cfi_startproc
    pushq %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset %rbp, -16
    subq $32, %rsp
    .cfi_def_cfa_offset 48
    leaq 16(%rsp), %rbp
1:  call g
    movq %rax, (%rbp)
    addq $8, %rbp
    testq %rax, %rax
    jne 1b
    addq $32, %rsp
    .cfi_def_cfa_offset 16
    popq %rbp
    .cfi_def_cfa_offset 8
    ret
    .cfi_endproc
