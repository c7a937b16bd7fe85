# The call of Linux's `srso_return_thunk` makes no frame: its word is dropped before the return.
# check: explore
#
# case: right
# with offset: 8
# expect: undecided, 4 of 5 reached
# expect: undecided unreached
#
# case: wrong
# with offset: 16
# expect: error, 4 of 5 reached
# expect: error eh-frame/cfa-matches-truth at .text+0xe..0xf
# expect: undecided unreached
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
