# Room of a made-up size hides nothing that is wrong after it.
# check: explore
#
# case: right
# with row:
# expect: clean, 8 of 8 reached
#
# case: wrong
# with row: .cfi_def_cfa_offset 24
# expect: error, 8 of 8 reached
# expect: error eh-frame/cfa-matches-truth at .text+0xf..0x16
    .globl f
f:  .cfi_startproc
    pushq %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset %rbp, -16
    movq %rsp, %rbp
    .cfi_def_cfa_register %rbp
    movq (%rdi), %rax
    subq %rax, %rsp
    call g
    {row}
    nop
    movl $1, %eax
    leave
    .cfi_def_cfa %rsp, 8
    ret
    .cfi_endproc
