# The call of Linux's `srso_return_thunk` makes no frame: its word is dropped before the return.
# check: explore
#
# case: right
# with offset: 8
# expect: clean, 4 of 5 reached
#
# case: wrong
# with offset: 16
# expect: error, 4 of 5 reached
# expect: error eh-frame/cfa-matches-truth at .text+0xe..0xf
    .globl f
f:  .cfi_startproc
    jmp thunk
    .cfi_endproc
    .globl thunk
thunk: .cfi_startproc
    call safe_ret
    ud2
    .cfi_endproc
safe_ret: .cfi_startproc
    .cfi_def_cfa_offset 16
    leaq 8(%rsp), %rsp
    .cfi_def_cfa_offset {offset}
    ret
    .cfi_endproc
