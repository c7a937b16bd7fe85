# If the user says that tables are synchronous, one function suffices, among others too. Accepted are
# rows that change late or never, in a function that is right at its calls; nothing else is.
# check: explore sync-tables=note
# show: functions
# with entry:
# with late: .cfi_def_cfa rbp, 16; .cfi_offset rbp, -16
# with pushed:
# with popped:
#
# case: synchronous
# expect: clean, 8 of 8 reached
# expect: info eh-frame/synchronous at .text+0x1..0x4 and 1 more ranges in .eh_frame
#
# case: the last change is missing
# with pushed: .cfi_def_cfa_offset 16; .cfi_offset rbp, -16
# with late: .cfi_def_cfa_register rbp
# expect: clean, 8 of 8 reached
# expect: info eh-frame/synchronous at .text+0xb..0xc in .eh_frame
#
# case: an entry with another CFA
# with entry: .cfi_def_cfa_offset 824
# expect: error, 8 of 8 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x1..0x4 and 1 more ranges in f
# expect: undecided own-entry-convention at .text+0x0..0xc: 1 answers
#
# case: an entry with another base
# with entry: .cfi_def_cfa rbx, 8
# expect: error, 8 of 8 reached
# expect: error eh-frame/cfa-matches-truth at .text+0xb..0xc in f
# expect: error eh-frame/ra-matches-truth at .text+0x0..0x4 in f
#
# case: an entry without a caller
# with entry: .cfi_undefined rip
# with late: .cfi_def_cfa rbp, 16; .cfi_offset rbp, -16; .cfi_offset rip, -8
# expect: error, 8 of 8 reached
# expect: error eh-frame/cfa-matches-truth at .text+0xb..0xc in f
# expect: undecided may-begin-here at .text+0x0..0xc: 2 answers
#
# case: an entry with another return address
# with entry: .cfi_offset rip, -16
# with late: .cfi_def_cfa rbp, 16; .cfi_offset rbp, -16; .cfi_offset rip, -8
# expect: error, 8 of 8 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x1..0x4 and 1 more ranges in f
# expect: error eh-frame/ra-matches-truth at .text+0x0..0x1 in f
#
# case: wrong at the call
# with late: .cfi_def_cfa rbp, 832; .cfi_offset rbp, -16
# expect: error, 8 of 8 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x1..0xc in f
#
# case: another return address at the call
# with late: .cfi_def_cfa rbp, 16; .cfi_offset rbp, -16; .cfi_offset rip, -16
# expect: error, 8 of 8 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x1..0x4 and 1 more ranges in f
# expect: error eh-frame/ra-matches-truth at .text+0x4..0xb in f
#
# case: an epilogue with a late row
# with pushed: .cfi_def_cfa_offset 16; .cfi_offset rbp, -16
# with late: .cfi_def_cfa_register rbp
# with popped: nop; .cfi_def_cfa rsp, 8
# expect: error, 8 of 8 reached
# expect: error eh-frame/cfa-matches-truth at .text+0xb..0xc in f
#
# case: an epilogue with a wrong row
# with popped: .cfi_def_cfa rsp, 816
# expect: error, 8 of 8 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x1..0x4 and 1 more ranges in f
#
# case: a late prologue, and an epilogue with a row
# with popped: .cfi_def_cfa rsp, 8; .cfi_restore rbp
# expect: error, 8 of 8 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x1..0x4 in f
    .globl f
    .type f, @function
f:  .cfi_startproc
    {entry}
    push %rbp
    {pushed}
    mov %rsp, %rbp
    {late}
    call g
    nop
    pop %rbp
    {popped}
    ret
    .cfi_endproc
    .size f, . - f
    .type g, @function
g:  .cfi_startproc
    push %rbx
    .cfi_def_cfa_offset 16
    pop %rbx
    .cfi_def_cfa_offset 8
    ret
    .cfi_endproc
    .size g, . - g
