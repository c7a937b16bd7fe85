# A first row that the machine confirms needs no convention, and one that it contradicts is
# reported by `.sframe` and `.eh_frame`.
# check: explore
# as: --gsframe
# ignore: elf/section-type header/obsolete-version
#
# case: an interrupt handler
# with ends: addq $8, %rsp; .cfi_def_cfa_offset 8; iretq
# expect: clean, 2 of 2 reached
#
# case: called
# with ends: ret
# expect: undecided, 0 of 1 reached
# expect: warning row/entry-cfa at .text+0x0..0x2
# expect: undecided own-entry-convention at .text+0x0..0x2: 2 answers
    .globl f
f:  .cfi_startproc
    .cfi_def_cfa_offset 16
    nop
    {ends}
    .cfi_endproc
