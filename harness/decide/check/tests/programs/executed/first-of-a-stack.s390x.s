# A function that nothing called, the first of a stack that the program switched to as
# coroutines do, is judged as if it had been: `change` keeps SP and continues in `first`, with
# nothing or its own address as return address. Rows that deny a caller are right, and so are
# rows that claim what a call would have left.
# check: execute
# link:
#
# case: claims what a call leaves
# with row:
# expect: undecided, exited 0
# expect: undecided other-stack at 0x10000c0..0x10000e0: 1 answers
# expect: undecided leaving-by-longjmp at 0x10000f0..0x1000106: 1 answers
#
# case: denies a caller
# with row: .cfi_undefined 14; .cfi_remember_state;
# expect: undecided, exited 0
# expect: undecided other-stack at 0x10000c0..0x10000e0: 1 answers
#
# case: another CFA
# with row: .cfi_adjust_cfa_offset -16
# expect: error, exited 0
# expect: error eh-frame/cfa-matches-truth at 0x10000f0..0x10000f2
# expect: undecided other-stack at 0x10000c0..0x10000e0: 1 answers
# expect: undecided leaving-by-longjmp at 0x10000f0..0x1000106: 1 answers
#
# case: another FP
# with row: .cfi_val_offset 11, 0
# expect: error, exited 0
# expect: error eh-frame/fp-matches-truth at 0x10000f0..0x10000f2
# expect: undecided other-stack at 0x10000c0..0x10000e0: 1 answers
# expect: undecided leaving-by-longjmp at 0x10000f0..0x1000106: 1 answers
#
# case: denies it in one row of several
# with row: .cfi_undefined 14
# expect: error, exited 0
# expect: error eh-frame/outermost at 0x10000f2..0x10000fe
# expect: undecided other-stack at 0x10000c0..0x10000e0: 1 answers
# expect: undecided leaving-by-longjmp at 0x10000f0..0x1000106: 1 answers
#
# case: another return address
# with row: .cfi_offset 14, 8
# expect: error, exited 0
# expect: error eh-frame/ra-matches-truth at 0x10000f0..0x10000f2
# expect: undecided other-stack at 0x10000c0..0x10000e0: 1 answers
# expect: undecided leaving-by-longjmp at 0x10000f0..0x1000106: 1 answers
#
# case: a claim where other rows deny a caller
# with row: .cfi_undefined 14; .cfi_remember_state; .cfi_offset 14, 8
# expect: error, exited 0
# expect: error eh-frame/ra-matches-truth at 0x10000f0..0x10000f2
# expect: undecided other-stack at 0x10000c0..0x10000e0: 1 answers
    .globl _start
_start: .cfi_startproc
    .cfi_undefined %r14
    brasl %r14, change
    lghi %r2, 0
    lghi %r1, 1
    svc 0
    .cfi_endproc
change: .cfi_startproc
    larl %r1, kept
    stg %r15, 0(%r1)
    stg %r14, 8(%r1)
    larl %r15, top
    larl %r14, first
    br %r14
    .cfi_endproc
    .skip 16
    .type first, STT_FUNC
first: .cfi_startproc
    .cfi_remember_state
    {row}
    nopr
    .cfi_restore_state
    larl %r1, kept
    lg %r14, 8(%r1)
    lg %r15, 0(%r1)
    br %r14
    .cfi_endproc
    .size first, .-first
    .data
    .balign 8
kept: .quad 0, 0
    .skip 256
top: .skip 168
    .quad 5
