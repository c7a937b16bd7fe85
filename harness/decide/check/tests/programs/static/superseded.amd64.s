# BOLT leaves copies of the functions that it moved, which nothing executes and which have no symbol
# any more; their stale rows are not explored. A function that it did not move is.
# check: explore
# link: -e f
# show: notes
#
# case: superseded
# with symbol:
# expect: undecided, 1 of 1 reached
# expect: info eh-frame/outermost at 0x401000..0x401002
# expect: undecided fault
# expect: note no .sframe section: .eh_frame is judged alone
# expect: note explored 1 function with made-up inputs
# expect: note 1 function was not explored: BOLT moved them, and left these copies
#
# case: not moved
# with symbol: .type old, @function; .size old, . - old
# expect: error, 4 of 4 reached
# expect: error eh-frame/cfa-matches-truth at 0x401003..0x401004
# expect: info eh-frame/outermost at 0x401000..0x401002
# expect: undecided fault
# expect: note no .sframe section: .eh_frame is judged alone
# expect: note explored 2 functions with made-up inputs
    .section .note.bolt_info, "", @note
    .long 0
    .section .bolt.org.text, "ax"
old:
    .cfi_startproc
    push %rbx
    pop %rbx
    ret
    .cfi_endproc
    {symbol}
    .text
    .globl f
    .type f, @function
f:  .cfi_startproc
    nop
    ret
    .cfi_endproc
    .size f, . - f
