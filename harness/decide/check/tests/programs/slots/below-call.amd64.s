# A call writes its return address: a slot that is below SP by then is lost.
# check: explore
#
# case: kept after the pop
# with row:
# expect: error, 7 of 7 reached
# expect: error eh-frame/fp-matches-truth at .text+0x10..0x12
#
# case: restored
# with row: .cfi_restore rbp
# expect: clean, 7 of 7 reached
    .globl g
    .type g, @function
g:  .cfi_startproc
    ret
    .cfi_endproc
    .size g, .-g
    .globl f
    .type f, @function
f:  .cfi_startproc
    push %rbp
    .cfi_adjust_cfa_offset 8
    .cfi_offset rbp, -16
    mov %rsp, %rbp
    .cfi_def_cfa_register rbp
    call g
    pop %rbp
    .cfi_def_cfa rsp, 8
    {row}
    call g
    nop
    ret
    .cfi_endproc
    .size f, .-f
