# A return thunk makes no frame, and what is wrong in it is found: gcc's
# `-mfunction-return=thunk-inline`, which has no row after the `lea` that drops the word of the
# call.
# check: explore
#
# case: right
# with row: .cfi_def_cfa_offset 8
# expect: clean, 3 of 3 reached
#
# case: without the row
# with row:
# expect: error, 3 of 3 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x11..0x12
    .globl f
f:  .cfi_startproc
    call 2f
1:  pause
    lfence
    jmp 1b
2:  .cfi_def_cfa_offset 16
    leaq 8(%rsp), %rsp
    {row}
    ret
    .cfi_endproc
