# What drops words that no call leaves is undecided, like glibc's `_dl_runtime_resolve`: it is
# jumped to with two words on the stack, and nothing shows what jumps there.
# check: explore
#
# case: right by these words
# with entry: 16
# expect: undecided, 0 of 3 reached
# expect: undecided nothing-judged
# expect: undecided unreached
# expect: undecided lowered-stack at .text+0x0..0xc: 2 answers
#
# case: as called
# with entry: 0
# expect: undecided, 0 of 3 reached
# expect: undecided nothing-judged
# expect: undecided unreached
# expect: undecided lowered-stack at .text+0x0..0xc: 2 answers
    .globl f
    .type f, %function
f:  .cfi_startproc
    .cfi_def_cfa_offset {entry}
    ldr x16, [x0]
    add sp, sp, #16
    .cfi_adjust_cfa_offset -16
    br x16
    .cfi_endproc
