# A table is found after a stretch of two blocks: the emulator translates at most 512
# instructions at a time, here up to the comparison, and has to translate again to stop before
# it and set the compared value.
# check: explore
# expect: clean, 12 of 12 reached
    .globl f
f:  .cfi_startproc
    .rept 511
    nop
    .endr
    cmpl $1, %edi
    nop
    ja 3f
    movl %edi, %edi
    leaq 9f(%rip), %rax
    movslq (%rax,%rdi,4), %rdi
    addq %rdi, %rax
    jmp *%rax
1:  incl %eax
    ret
2:  decl %eax
    ret
3:  ret
    .cfi_endproc
    .section .rodata
    .p2align 2
9:  .long 1b - 9b, 2b - 9b
