# A function whose entry is no call is not judged as if it were: GCC's `__morestack` is called
# by functions that were called themselves, its CFI skips them, and its CIE describes the entry.
# A return to the address that a call leaves refutes an entry with that address and another CFA.
# check: explore
# with ra: nop
#
# case: its own entry
# with entry: 16
# with inside: 24
# expect: undecided, 6 of 6 reached
# expect: undecided own-entry-convention at .text+0x0..0x6: 5 answers
#
# case: entered by a call, with a wrong row
# with entry: 8
# with inside: 24
# expect: error, 6 of 6 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x2..0x5
#
# case: another CFA with the return address of a call
# with entry: 16
# with inside: 24
# with ra: .cfi_offset rip, -16; nop
# expect: error, 6 of 6 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x0..0x6
    .globl f
f:  .cfi_startproc
    .cfi_def_cfa_offset {entry}
    {ra}
    pushq %rbp
    .cfi_def_cfa_offset {inside}
    incl %eax
    popq %rbp
    .cfi_def_cfa_offset {entry}
    ret
    .cfi_endproc
    .globl g
g:  .cfi_startproc
    call f
    ret
    .cfi_endproc
