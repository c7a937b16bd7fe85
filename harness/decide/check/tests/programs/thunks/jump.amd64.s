# A jump through a thunk keeps the frame, and what is wrong after it is found.
# check: explore
#
# case: right
# with offset: 32
# expect: clean, 12 of 12 reached
#
# case: wrong
# with offset: 40
# expect: error, 12 of 12 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x2a..0x2b
    .globl f
f:  .cfi_startproc
    subq $24, %rsp
    .cfi_def_cfa_offset 32
    cmpl $1, %edi
    ja 4f
    movl %edi, %edi
    leaq 9f(%rip), %rax
    movslq (%rax,%rdi,4), %rdi
    addq %rdi, %rax
    call 2f
1:  pause
    lfence
    jmp 1b
2:  .cfi_def_cfa_offset 40
    movq %rax, (%rsp)
    ret
3:  .cfi_def_cfa_offset {offset}
    nop
4:  .cfi_def_cfa_offset 32
    addq $24, %rsp
    .cfi_def_cfa_offset 8
    ret
    .cfi_endproc
    .section .rodata
    .p2align 2
9:  .long 3b - 9b, 4b - 9b
