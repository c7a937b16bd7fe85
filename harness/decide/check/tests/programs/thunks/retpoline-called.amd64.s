# A called retpoline is no function: it executes in the frame of the function that contains it
# (gcc's `-mindirect-branch=thunk-inline`).
# check: explore
#
# case: right
# with row:
# expect: clean, 9 of 9 reached
#
# case: wrong after it
# with row: .cfi_def_cfa_offset 24
# expect: error, 9 of 9 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x1c..0x1d
    .globl f
f:  .cfi_startproc
    pushq %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset %rbp, -16
    movq %rsp, %rbp
    .cfi_def_cfa_register %rbp
    jmp 2f
1:  call 3f
4:  pause
    lfence
    jmp 4b
3:  movq %rax, (%rsp)
    ret
2:  call 1b
    {row}
    popq %rbp
    .cfi_def_cfa %rsp, 8
    ret
    .cfi_endproc
