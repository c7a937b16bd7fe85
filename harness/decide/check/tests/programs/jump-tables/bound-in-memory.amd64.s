# A table ends at the bound of a comparison whose operand is in memory, addressed by two registers,
# after a comparison of something else. The bytes after it are not part of it: 253 targets in
# the middle of a function that has pushed a register.
# check: explore
# expect: clean, 24 of 24 reached
    .globl f
f:  .cfi_startproc
    cmpq $1, %rdx
    jle 9f
    movzbl (%rsi), %ecx
    cmpb $2, 16(%rdi,%rcx)
    ja 9f
    movzbl 16(%rdi,%rcx), %eax
    leaq table(%rip), %r10
    movslq (%r10,%rax,4), %rax
    addq %r10, %rax
    jmp *%rax
1:  movl $1, %eax
    ret
2:  movl $2, %eax
    ret
3:  movl $3, %eax
    ret
9:  xorl %eax, %eax
    ret
    .cfi_endproc
    .size f, .-f
h:  .cfi_startproc
    pushq %rbx
    .cfi_def_cfa_offset 16
    .cfi_offset rbx, -16
    movl %edi, %ebx
5:  addl $7, %ebx
    movl %ebx, %eax
    popq %rbx
    .cfi_def_cfa_offset 8
    ret
    .cfi_endproc
    .size h, .-h
    .section .rodata
    .balign 4
table:
    .long 1b-table, 2b-table, 3b-table
    .rept 253
    .long 5b-table
    .endr
