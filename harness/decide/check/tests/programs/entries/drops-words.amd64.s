# What drops words that no call leaves is undecided, like glibc's `_dl_runtime_resolve`: it is
# jumped to with two words on the stack, and nothing shows what jumps there.
# check: explore
#
# case: right by these words
# with entry: 24
# expect: undecided, 0 of 3 reached
# expect: undecided nothing-judged
# expect: undecided unreached
# expect: undecided lowered-stack at .text+0x0..0xa: 2 answers
#
# case: as called
# with entry: 8
# expect: undecided, 0 of 3 reached
# expect: undecided nothing-judged
# expect: undecided unreached
# expect: undecided lowered-stack at .text+0x0..0xa: 2 answers
    .globl f
    .type f, @function
f:  .cfi_startproc
    .cfi_def_cfa_offset {entry}
    movq (%rdi), %r11
    addq $16, %rsp
    .cfi_adjust_cfa_offset -16
    jmp *%r11
    .cfi_endproc
