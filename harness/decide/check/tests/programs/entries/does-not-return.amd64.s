# A wrong first row of a named function that ends in a call from which nothing comes back is not
# clean; one that ends in a tail call of another file's function is entered by a call.
# check: explore
# link: -shared
#
# case: call, right
# with first: 8
# with end: call exit@PLT
# expect: clean, 7 of 7 reached
#
# case: call, wrong
# with first: 16
# with end: call exit@PLT
# expect: undecided, 5 of 7 reached
# expect: undecided own-entry-convention at 0x1020..0x1026: 1 answers
#
# case: tail call, right
# with first: 8
# with end: popq %rbx; .cfi_def_cfa_offset 8; jmp exit@PLT
# expect: clean, 8 of 8 reached
#
# case: tail call, wrong
# with first: 16
# with end: popq %rbx; .cfi_def_cfa_offset 8; jmp exit@PLT
# expect: error, 8 of 8 reached
# expect: error eh-frame/cfa-matches-truth at 0x1020..0x1021
    .globl f
    .type f, @function
f:  .cfi_startproc
    .cfi_def_cfa_offset {first}
    pushq %rbx
    .cfi_def_cfa_offset 16
    {end}
    .cfi_endproc
