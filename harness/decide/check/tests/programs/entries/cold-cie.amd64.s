# A part whose CIE has FP saved, as the cold part of a function, is assumed to be entered so:
# its first row is right, and the others are compared with it.
# check: explore
# show: assumed
#
# case: right
# with row:
# expect: undecided, 5 of 5 reached
# expect: undecided own-entry-convention at .text+0x0..0x6: 3 answers
# expect: assumed first-row in f
# expect: assumed by-name in g
#
# case: wrong
# with row: .cfi_offset %rbp, -24
# expect: error, 5 of 5 reached
# expect: error eh-frame/fp-matches-truth at .text+0x2..0x6
# expect: undecided own-entry-convention at .text+0x0..0x6: 1 answers
# expect: assumed first-row in f
# expect: assumed by-name in g
    .globl f
f:  .cfi_startproc
    .cfi_def_cfa_offset 48
    .cfi_offset %rbp, -16
    incl %eax
    {row}
    incl %eax
    ud2
    .cfi_endproc
    .globl g
g:  .cfi_startproc
    call f
    ret
    .cfi_endproc
