# The result of a call is not the target of an earlier jump by table in the same register: the
# next jump is a tail call.
# check: explore
#
# case: right
# with row: 16
# expect: clean, 18 of 18 reached
#
# case: wrong
# with row: 24
# expect: error, 18 of 18 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x24..0x25
    .globl f
f:  .cfi_startproc
    pushq %rbx
    .cfi_def_cfa_offset 16
    .cfi_offset %rbx, -16
    movl %edi, %ebx
    call get
    cmpl $1, %ebx
    ja 3f
    movl %ebx, %ebx
    leaq 9f(%rip), %rdx
    movslq (%rdx,%rbx,4), %rax
    addq %rdx, %rax
    jmp *%rax
1:  call get
    .cfi_def_cfa_offset {row}
    nop
    .cfi_def_cfa_offset 16
    popq %rbx
    .cfi_def_cfa_offset 8
    jmp *%rax
    .cfi_def_cfa_offset 16
2:  call get
    popq %rbx
    .cfi_def_cfa_offset 8
    jmp *%rax
    .cfi_def_cfa_offset 16
3:  popq %rbx
    .cfi_def_cfa_offset 8
    ret
    .cfi_endproc
    .section .rodata
    .p2align 2
9:  .long 1b - 9b, 2b - 9b
