# A function of another file may change a register that it need not keep, or keep it: a row that
# reads the register after the call is undecided, right or wrong, up to where the register is set.
# check: explore
#
# case: right
# with call: call elsewhere
# with offset: 0
# expect: undecided, 6 of 6 reached
# expect: undecided register-after-call at .text+0x0..0x1b: 3 answers
#
# case: wrong
# with call: call elsewhere
# with offset: 8
# expect: undecided, 6 of 6 reached
# expect: undecided register-after-call at .text+0x0..0x1b: 3 answers
#
# case: by address
# with call: call *%rax; .nops 3
# with offset: 0
# expect: undecided, 6 of 6 reached
# expect: undecided register-after-call at .text+0x0..0x1b: 4 answers
#
# case: no call
# with call: .nops 5
# with offset: 0
# expect: clean, 5 of 5 reached
    .globl f
    .type f, @function
f:  .cfi_startproc
    sub $8, %rsp
    .cfi_def_cfa_offset 16
    lea 16(%rsp), %r10
    .cfi_def_cfa r10, 0
    {call}
    .cfi_def_cfa r10, {offset}
    nop
    nop
    lea 16(%rsp), %r10
    .cfi_def_cfa r10, 0
    nop
    .cfi_def_cfa rsp, 16
    add $8, %rsp
    .cfi_def_cfa_offset 8
    ret
    .cfi_endproc
    .size f, .-f
