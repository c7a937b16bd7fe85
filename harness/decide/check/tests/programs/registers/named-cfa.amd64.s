# In a row with a rule for SP, offsets count from the row's own CFA, whatever it is (GHC's StgRun).
# check: explore
#
# case: right
# with rbx: 64
# expect: clean, 14 of 14 reached
# expect: info eh-frame/cfa-matches-truth at .text+0x12..0x2e
#
# case: another slot
# with rbx: 80
# expect: error, 14 of 14 reached
# expect: error eh-frame/register-matches-truth at .text+0x12..0x20
# expect: info eh-frame/cfa-matches-truth at .text+0x12..0x2e
    .globl f
f:  .cfi_startproc
    subq $24, %rsp
    .cfi_def_cfa_offset 32
    movq %rsp, %rax
    subq $64, %rsp
    .cfi_def_cfa_offset 96
    movq %rbx, (%rax)
    movq %r12, 8(%rax)
    .cfi_def_cfa %rsp, 0
    .cfi_offset %rbx, {rbx}
    .cfi_offset %r12, 72
    .cfi_offset %rip, 88
    .cfi_escape 0x16, 7, 3, 0x77, 0xe0, 0
    xorl %ebx, %ebx
    xorl %r12d, %r12d
    call g
    addq $64, %rsp
    .cfi_escape 0x16, 7, 2, 0x77, 32
    .cfi_offset %rbx, 0
    .cfi_offset %r12, 8
    .cfi_offset %rip, 24
    movq (%rsp), %rbx
    movq 8(%rsp), %r12
    addq $24, %rsp
    .cfi_escape 0x16, 7, 2, 0x77, 8
    .cfi_offset %rip, 0
    .cfi_same_value %rbx
    .cfi_same_value %r12
    ret
    .cfi_endproc
    .type g, @function
g:  .cfi_startproc
    ret
    .cfi_endproc
    .size g, .-g
