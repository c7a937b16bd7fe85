# A function that nothing called, the first of a stack that the program switched to as
# coroutines do, is judged as if it had been: `change` keeps SP and continues in `first`, with
# nothing or its own address as return address. Rows that deny a caller are right, and so are
# rows that claim what a call would have left.
# check: execute
# also: aarch64be
# link:
#
# case: claims what a call leaves
# with row:
# expect: undecided, exited 0
# expect: undecided other-stack at 0x4000f8..0x400114: 1 answers
# expect: undecided leaving-by-longjmp at 0x400124..0x400138: 1 answers
#
# case: denies a caller
# with row: .cfi_undefined 30; .cfi_remember_state;
# expect: undecided, exited 0
# expect: undecided other-stack at 0x4000f8..0x400114: 1 answers
#
# case: another CFA
# with row: .cfi_adjust_cfa_offset -16
# expect: error, exited 0
# expect: error eh-frame/cfa-matches-truth at 0x400124..0x400128
# expect: undecided other-stack at 0x4000f8..0x400114: 1 answers
# expect: undecided leaving-by-longjmp at 0x400124..0x400138: 1 answers
#
# case: another FP
# with row: .cfi_val_offset 29, 0
# expect: error, exited 0
# expect: error eh-frame/fp-matches-truth at 0x400124..0x400128
# expect: undecided other-stack at 0x4000f8..0x400114: 1 answers
# expect: undecided leaving-by-longjmp at 0x400124..0x400138: 1 answers
#
# case: denies it in one row of several
# with row: .cfi_undefined 30
# expect: error, exited 0
# expect: error eh-frame/outermost at 0x400128..0x400130
# expect: undecided other-stack at 0x4000f8..0x400114: 1 answers
# expect: undecided leaving-by-longjmp at 0x400124..0x400138: 1 answers
#
# case: another return address
# with row: .cfi_offset 30, 8
# expect: error, exited 0
# expect: error eh-frame/ra-matches-truth at 0x400124..0x400128
# expect: undecided other-stack at 0x4000f8..0x400114: 1 answers
# expect: undecided leaving-by-longjmp at 0x400124..0x400138: 1 answers
#
# case: a claim where other rows deny a caller
# with row: .cfi_undefined 30; .cfi_remember_state; .cfi_offset 30, 8
# expect: error, exited 0
# expect: error eh-frame/ra-matches-truth at 0x400124..0x400128
# expect: undecided other-stack at 0x4000f8..0x400114: 1 answers
    .globl _start
_start: .cfi_startproc
    .cfi_undefined x30
    bl change
    mov x0, #0
    mov x8, #93
    svc #0
    .cfi_endproc
change: .cfi_startproc
    adr x9, kept
    mov x10, sp
    stp x10, x30, [x9]
    adr x9, top
    mov sp, x9
    adr x30, first
    ret
    .cfi_endproc
    .skip 16
    .type first, STT_FUNC
first: .cfi_startproc
    .cfi_remember_state
    {row}
    nop
    .cfi_restore_state
    adr x9, kept
    ldp x10, x30, [x9]
    mov sp, x10
    ret
    .cfi_endproc
    .size first, .-first
    .data
    .balign 16
kept: .quad 0, 0
    .skip 256
top: .quad 0, 5
