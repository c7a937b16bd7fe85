# A function that nothing calls is one if it returns and a table agrees somewhere.
# check: explore
#
# case: one wrong row
# with body: pushq %rbx; .cfi_def_cfa_offset 24; popq %rbx; .cfi_def_cfa_offset 8; ret
# expect: error, 3 of 3 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x1..0x2
#
# case: a part that is a landing pad: padding, then another frame
# with body: nop; .cfi_def_cfa_offset 80; movl $1, %edi; ud2
# expect: undecided, 0 of 2 reached
# expect: undecided nothing-judged
# expect: undecided unconfirmed-state at .text+0x0..0x8: 2 answers
#
# case: entered with another frame, according to the table
# with body: .cfi_def_cfa_offset 80; movl $1, %eax; ret
# expect: undecided, 0 of 2 reached
# expect: undecided nothing-judged
# expect: undecided own-entry-convention at .text+0x0..0x6: 2 answers
f:  .cfi_startproc
    {body}
    .cfi_endproc
