# The caller of a function that drops its arguments (`ret $16`) is judged, whether its rows
# follow that or not.
# check: explore
#
# case: right
# with after: .cfi_adjust_cfa_offset -16
# expect: clean, 6 of 6 reached
#
# case: without the row
# with after:
# expect: error, 6 of 6 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x11..0x13
callee: .cfi_startproc
    movq 8(%rsp), %rax
    ret $16
    .cfi_endproc
    .globl f
f:  .cfi_startproc
    pushq $1
    .cfi_adjust_cfa_offset 8
    pushq $2
    .cfi_adjust_cfa_offset 8
    call callee
    {after}
    nop
    ret
    .cfi_endproc
