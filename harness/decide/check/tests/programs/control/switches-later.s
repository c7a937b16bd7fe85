# What a function does before it switches stacks is judged, if the table describes its entry as a
# call leaves it: it begins so whatever follows. After the switch nothing is known.
# check: explore
#
# case: amd64, right
# target: amd64
# with body: push %rbp; .cfi_def_cfa_offset 16; nop; mov %rsi, %rsp; .cfi_def_cfa_offset 8; pop %rbp; ret
# expect: undecided, 2 of 4 reached
# expect: undecided unconfirmed-state at .text+0x0..0x7: 2 answers
#
# case: amd64, a push without a row
# target: amd64
# with body: push %rbp; nop; nop; mov %rsi, %rsp; pop %rbp; ret
# expect: error, 2 of 4 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x1..0x6
# expect: undecided unconfirmed-state at .text+0x0..0x8: 2 answers
#
# case: amd64, after a branch
# target: amd64
# with body: test %edi, %edi; je 1f; push %rbp; nop; mov %rsi, %rsp; pop %rbp; ret; 1: mov %rsi, %rsp; pop %rbp; ret
# expect: undecided, 2 of 9 reached
# expect: undecided unconfirmed-state at .text+0x0..0x10: 6 answers
#
# case: aarch64, a store without a row
# target: aarch64
# also: aarch64be
# with body: str x30, [sp, -16]!; nop; mov sp, x1; ldr x30, [sp], 16; ret
# expect: error, 2 of 4 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x4..0xc
# expect: undecided unconfirmed-state at .text+0x0..0x14: 2 answers
#
# case: s390x, a frame without a row
# target: s390x
# with body: aghi %r15, -160; nopr; lgr %r15, %r3; lmg %r14, %r15, 112(%r15); br %r14
# expect: error, 2 of 4 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x4..0xa
# expect: undecided unreached
# expect: undecided unconfirmed-state at .text+0x0..0x12: 1 answers
    .globl f
    .type f, %function
f:  .cfi_startproc
    {body}
    .cfi_endproc
    .size f, . - f
