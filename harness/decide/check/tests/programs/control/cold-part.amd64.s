# A split-off part is judged in the frame of the one function that comes into it; with a branch
# from another function, or its address in data, its frame is ambiguous.
# check: explore
# with also:
#
# case: one function
# with row: 32
# expect: clean, 7 of 7 reached
#
# case: one function, wrong
# with row: 40
# expect: error, 7 of 7 reached
# expect: error eh-frame/cfa-matches-truth at .text+0xd..0x14
#
# case: a branch from another, never taken
# with row: 32
# with also: .globl g; g:  .cfi_startproc; cmpl $9, %edi; ja apart; ret; .cfi_endproc
# expect: undecided, 8 of 10 reached
# expect: undecided unconfirmed-state at .text+0x13..0x1a: 2 answers
#
# case: a branch from another, wrong
# with row: 40
# with also: .globl g; g:  .cfi_startproc; cmpl $9, %edi; ja apart; ret; .cfi_endproc
# expect: undecided, 8 of 10 reached
# expect: undecided unconfirmed-state at .text+0x13..0x1a: 2 answers
#
# case: its address in data
# with row: 32
# with also: .data; .quad apart; .text
# expect: undecided, 5 of 7 reached
# expect: undecided own-entry-convention at .text+0xd..0x14: 2 answers
#
# case: its address in data, wrong
# with row: 40
# with also: .data; .quad apart; .text
# expect: undecided, 5 of 7 reached
# expect: undecided own-entry-convention at .text+0xd..0x14: 2 answers
# expect: undecided unconfirmed-state at .text+0xd..0x14: 2 answers
    .globl f
f:  .cfi_startproc
    subq $24, %rsp
    .cfi_def_cfa_offset 32
    testl %edi, %edi
    js apart
    addq $24, %rsp
    .cfi_def_cfa_offset 8
    ret
    .cfi_endproc
    {also}
apart:
    .cfi_startproc
    .cfi_def_cfa_offset {row}
    movl $1, %edi
    ud2
    .cfi_endproc
