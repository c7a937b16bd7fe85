# A wrong first row is an error of a function that others can call by name, and of another is
# not clean; with all rows wrong by the same, like those of GCC's `__morestack`, which skip its
# caller, it is undecided.
# check: explore
#
# case: right, named
# with symbol: .globl f; .type f, %function
# with first: 160
# with others: 160
# expect: clean, 3 of 3 reached
#
# case: right, without a type
# with symbol: .globl f
# with first: 160
# with others: 160
# expect: clean, 3 of 3 reached
#
# case: right, local
# with symbol: .type f, %function
# with first: 160
# with others: 160
# expect: clean, 3 of 3 reached
#
# case: wrong first row, named
# with symbol: .globl f; .type f, %function
# with first: 176
# with others: 160
# expect: error, 3 of 3 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x0..0x4
#
# case: wrong first row, without a type
# with symbol: .globl f
# with first: 176
# with others: 160
# expect: error, 3 of 3 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x0..0x4
#
# case: wrong first row, local
# with symbol: .type f, %function
# with first: 176
# with others: 160
# expect: error, 3 of 3 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x0..0x4
#
# case: all rows skip its caller, named
# with symbol: .globl f; .type f, %function
# with first: 176
# with others: 176
# expect: undecided, 0 of 3 reached
# expect: undecided nothing-judged
# expect: undecided own-entry-convention at .text+0x0..0xa: 3 answers
#
# case: all rows skip its caller, without a type
# with symbol: .globl f
# with first: 176
# with others: 176
# expect: undecided, 0 of 3 reached
# expect: undecided nothing-judged
# expect: undecided own-entry-convention at .text+0x0..0xa: 3 answers
#
# case: all rows skip its caller, local
# with symbol: .type f, %function
# with first: 176
# with others: 176
# expect: undecided, 0 of 3 reached
# expect: undecided nothing-judged
# expect: undecided own-entry-convention at .text+0x0..0xa: 3 answers
    {symbol}
f:  .cfi_startproc
    .cfi_def_cfa_offset {first}
    aghi %r15, -16
    .cfi_def_cfa_offset {others}
    .cfi_adjust_cfa_offset 16
    aghi %r15, 16
    .cfi_adjust_cfa_offset -16
    br %r14
    .cfi_endproc
