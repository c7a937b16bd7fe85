# Another return address column than the ABI's is a convention of its own, unless the function
# returns by the ABI's.
# check: explore
#
# case: returns by the ABI's
# with end: br %r14
# expect: error, 1 of 1 reached
# expect: error eh-frame/ra-matches-truth at .text+0x0..0x6
#
# case: returns by its own
# with end: br %r9
# expect: undecided, 1 of 1 reached
# expect: undecided own-entry-convention at .text+0x0..0x6: 2 answers
    .globl f
    .type f, %function
f:  .cfi_startproc
    .cfi_return_column %r9
    nop
    {end}
    .cfi_endproc
