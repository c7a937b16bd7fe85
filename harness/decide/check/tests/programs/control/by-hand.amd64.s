# A jump to another function with the address of the next instruction as its return address is a
# call: the jump's target is entered as called, and control comes back.
# check: explore
#
# case: direct
# with jump: jmp g
# with row: .cfi_def_cfa_offset 16
# expect: clean, 8 of 8 reached
#
# case: indirect
# with jump: lea g(%rip), %rax; jmp *%rax
# with row: .cfi_def_cfa_offset 16
# expect: clean, 9 of 9 reached
#
# case: without a row
# with jump: jmp g
# with row:
# expect: error, 8 of 8 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x8..0x14
    .type g, @function
g:  .cfi_startproc
    nop
    ret
    .cfi_endproc
    .globl f
    .type f, @function
f:  .cfi_startproc
    call g
    push %rbx
    {row}
    lea 1f(%rip), %rcx
    push %rcx
    .cfi_adjust_cfa_offset 8
    {jump}
    .cfi_adjust_cfa_offset -8
1:  nop
    pop %rbx
    .cfi_def_cfa_offset 8
    ret
    .cfi_endproc
