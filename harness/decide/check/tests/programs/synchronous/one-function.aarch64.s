# If the user says that tables are synchronous, one function suffices, among others too. Accepted are
# rows that change late or never, in a function that is right at its calls; nothing else is.
# check: explore sync-tables=note
# show: functions
# with entry:
# with late: .cfi_def_cfa x29, 16; .cfi_offset x29, -16; .cfi_offset x30, -8
# with pushed:
# with popped:
#
# case: synchronous
# expect: clean, 8 of 8 reached
# expect: info eh-frame/synchronous at .text+0x4..0x8 and 1 more ranges in .eh_frame
#
# case: the last change is missing
# with pushed: .cfi_def_cfa_offset 16; .cfi_offset x29, -16; .cfi_offset x30, -8
# with late: .cfi_def_cfa_register x29
# expect: clean, 8 of 8 reached
# expect: info eh-frame/synchronous at .text+0x14..0x18 in .eh_frame
#
# case: an entry with another CFA
# with entry: .cfi_def_cfa_offset 816
# expect: error, 8 of 8 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x0..0x8 and 1 more ranges in f
#
# case: an entry without a caller
# with entry: .cfi_undefined x30
# expect: error, 8 of 8 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x14..0x18 in f
# expect: undecided may-begin-here at .text+0x0..0x18: 2 answers
#
# case: wrong at the call
# with late: .cfi_def_cfa x29, 832; .cfi_offset x29, -16; .cfi_offset x30, -8
# expect: error, 8 of 8 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x4..0x18 in f
#
# case: a late prologue, and an epilogue with a row
# with popped: .cfi_def_cfa sp, 0; .cfi_restore x29; .cfi_restore x30
# expect: error, 8 of 8 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x4..0x8 in f
    .globl f
    .type f, %function
f:  .cfi_startproc
    {entry}
    stp x29, x30, [sp, -16]!
    {pushed}
    mov x29, sp
    {late}
    bl g
    nop
    ldp x29, x30, [sp], 16
    {popped}
    ret
    .cfi_endproc
    .size f, . - f
    .type g, %function
g:  .cfi_startproc
    sub sp, sp, 16
    .cfi_def_cfa_offset 16
    add sp, sp, 16
    .cfi_def_cfa_offset 0
    ret
    .cfi_endproc
    .size g, . - g
