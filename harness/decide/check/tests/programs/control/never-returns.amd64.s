# Code after the calls of a function that never returns, as `main` of many programs, is reached,
# because neither jumps nor the table lead there.
# check: explore
# expect: error, 19 of 19 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x2c..0x35
    .globl f
f:  .cfi_startproc
    pushq %rbx
    .cfi_def_cfa_offset 16
    .cfi_offset %rbx, -16
1:  call next@PLT
    cmpl $2, %eax
    ja 9f
    movl %eax, %eax
    leaq table(%rip), %r10
    movslq (%r10,%rax,4), %rax
    addq %r10, %rax
    jmp *%rax
2:  movl $1, %ebx
    jmp 1b
3:  movl $2, %ebx
    jmp 1b
4:  pushq %rbx
    call put@PLT
    addq $8, %rsp
    jmp 1b
9:  movl %ebx, %edi
    call exit@PLT
    .cfi_endproc
    .size f, .-f
    .section .rodata
    .balign 4
table:
    .long 2b-table, 3b-table, 4b-table
