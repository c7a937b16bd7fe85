# Code that notes whether it is executed speculatively, and destroys SP before calls if so, is
# executed as the branches lead: `clang -mspeculative-load-hardening`.
# check: explore
#
# case: right
# with row: .cfi_def_cfa_offset 16
# expect: clean, 14 of 14 reached
#
# case: without a row
# with row:
# expect: error, 14 of 14 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x1..0x29
    .globl f
f:  .cfi_startproc
    push %rbx
    {row}
    .cfi_offset rbx, -16
    mov $-1, %rbx
    xor %eax, %eax
    test %edi, %edi
    je 1f
    cmove %rbx, %rax
    shl $47, %rax
    or %rax, %rsp
    nop
    jmp 2f
1:  cmovne %rbx, %rax
    shl $47, %rax
    or %rax, %rsp
    nop
2:  pop %rbx
    .cfi_def_cfa_offset 8
    ret
    .cfi_endproc
