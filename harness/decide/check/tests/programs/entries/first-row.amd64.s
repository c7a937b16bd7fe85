# A wrong first row is an error of a function that others can call by name, and of another is
# not clean; with all rows wrong by the same, like those of GCC's `__morestack`, which skip its
# caller, it is undecided.
# check: explore
#
# case: right, named
# with symbol: .globl f; .type f, %function
# with first: 8
# with others: 8
# expect: clean, 3 of 3 reached
#
# case: right, without a type
# with symbol: .globl f
# with first: 8
# with others: 8
# expect: clean, 3 of 3 reached
#
# case: right, local
# with symbol: .type f, %function
# with first: 8
# with others: 8
# expect: clean, 3 of 3 reached
#
# case: wrong first row, named
# with symbol: .globl f; .type f, %function
# with first: 24
# with others: 8
# expect: error, 3 of 3 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x0..0x1
#
# case: wrong first row, without a type
# with symbol: .globl f
# with first: 24
# with others: 8
# expect: undecided, 3 of 3 reached
# expect: undecided own-entry-convention at .text+0x0..0x3: 1 answers
#
# case: wrong first row, local
# with symbol: .type f, %function
# with first: 24
# with others: 8
# expect: undecided, 3 of 3 reached
# expect: undecided own-entry-convention at .text+0x0..0x3: 1 answers
#
# case: all rows skip its caller, named
# with symbol: .globl f; .type f, %function
# with first: 24
# with others: 24
# expect: undecided, 0 of 3 reached
# expect: undecided nothing-judged
# expect: undecided own-entry-convention at .text+0x0..0x3: 3 answers
#
# case: all rows skip its caller, without a type
# with symbol: .globl f
# with first: 24
# with others: 24
# expect: undecided, 0 of 3 reached
# expect: undecided nothing-judged
# expect: undecided own-entry-convention at .text+0x0..0x3: 3 answers
#
# case: all rows skip its caller, local
# with symbol: .type f, %function
# with first: 24
# with others: 24
# expect: undecided, 0 of 3 reached
# expect: undecided nothing-judged
# expect: undecided own-entry-convention at .text+0x0..0x3: 3 answers
    {symbol}
f:  .cfi_startproc
    .cfi_def_cfa_offset {first}
    pushq %rbx
    .cfi_def_cfa_offset {others}
    .cfi_adjust_cfa_offset 8
    popq %rbx
    .cfi_adjust_cfa_offset -8
    ret
    .cfi_endproc
