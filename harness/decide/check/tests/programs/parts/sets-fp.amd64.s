# A callee that is a part of the prologue sets the caller's FP.
# check: explore
#
# case: right
# with row: .cfi_def_cfa_register rbp
# expect: clean, 5 of 5 reached
#
# case: without a row
# with row:
# expect: error, 5 of 5 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x10..0x12
    .type prologue, @function
prologue:
    lea 8(%rsp), %rbp
    ret
    .size prologue, .-prologue
    .globl f
    .type f, @function
f:  .cfi_startproc
    push %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset rbp, -16
    call prologue
    {row}
    sub $32, %rsp
    nop
    leave
    .cfi_def_cfa rsp, 8
    .cfi_restore rbp
    ret
    .cfi_endproc
    .size f, .-f
