# A table leads where its index can, and what is wrong there is found.
# check: explore
#
# case: right
# with row: .cfi_def_cfa_offset 16
# expect: clean, 14 of 14 reached
#
# case: wrong
# with row: .cfi_def_cfa_offset 24
# expect: error, 14 of 14 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x20..0x24
    .globl f
f:  .cfi_startproc
    cmpl $2, %edi
    ja 4f
    movl %edi, %edi
    leaq 9f(%rip), %rax
    movslq (%rax,%rdi,4), %rdi
    addq %rdi, %rax
    jmp *%rax
1:  nop
    ret
2:  pushq %rbx
    .cfi_def_cfa_offset 16
    popq %rbx
    .cfi_def_cfa_offset 8
    ret
3:  subq $8, %rsp
    {row}
    addq $8, %rsp
    .cfi_def_cfa_offset 8
4:  ret
    .cfi_endproc
    .section .rodata
    .p2align 2
9:  .long 1b - 9b, 2b - 9b, 3b - 9b
