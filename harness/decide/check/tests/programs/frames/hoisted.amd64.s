# An adjustment whose CFI comes late is found: clang 14 to 22 move the end of two return paths
# before the branch, and not its CFI.
# check: explore
#
# case: late
# with early:
# with late: .cfi_def_cfa_offset 16
# expect: error, 11 of 11 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x11..0x16
#
# case: in time
# with early: .cfi_def_cfa_offset 16
# with late:
# expect: clean, 11 of 11 reached
    .globl f
f:  .cfi_startproc
    pushq %rbx
    .cfi_def_cfa_offset 16
    .cfi_offset %rbx, -16
    subq $16, %rsp
    .cfi_def_cfa_offset 32
    movq %rdi, %rbx
    call g
    addq $16, %rsp
    {early}
    testq %rbx, %rbx
    je 1f
    {late}
    popq %rbx
    .cfi_def_cfa_offset 8
    ret
1:  .cfi_def_cfa_offset 16
    popq %rbx
    .cfi_def_cfa_offset 8
    ret
    .cfi_endproc
