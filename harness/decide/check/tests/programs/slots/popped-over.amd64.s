# An address that is popped where it was pushed is data: `call 1f; 1: pop %rax`, over what is
# never executed.
# check: explore
# link: -shared
#
# case: right
# with row: .cfi_adjust_cfa_offset -8
# expect: clean, 3 of 3 reached
#
# case: wrong
# with row:
# expect: error, 3 of 3 reached
# expect: error eh-frame/cfa-matches-truth at 0x100a..0x100c
    .globl f
    .type f, @function
f:  .cfi_startproc
    call 1f
2:  pause
    jmp 2b
1:  .cfi_adjust_cfa_offset 8
    pop %rax
    {row}
    nop
    ret
    .cfi_endproc
