# A load that may fault continues at its fixup: `__ex_table` pairs the fixup with the instruction
# and, since an interrupt may show either address, with the one after it.
# check: explore
# with depth: 320
#
# case: right
# expect: clean, 7 of 7 reached
#
# case: wrong
# with depth: 352
# expect: error, 7 of 7 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x1a..0x22
    .globl f
    .type f, @function
f:  .cfi_startproc
    stmg %r14, %r15, 112(%r15)
    .cfi_offset %r14, -48
    .cfi_offset %r15, -40
    aghi %r15, -160
    .cfi_def_cfa_offset 320
0:  lg %r2, 0(%r2)
1:  nopr %r7
3:  lmg %r14, %r15, 272(%r15)
    .cfi_restore %r14
    .cfi_restore %r15
    .cfi_def_cfa_offset 160
    br %r14
2:  .cfi_def_cfa_offset {depth}
    .cfi_offset %r14, -48
    .cfi_offset %r15, -40
    lghi %r2, -14
    j 3b
    .cfi_endproc
    .size f, .-f
    .section __ex_table, "a"
    .balign 4
    .long 0b - ., 2b - .
    .short 2, 0
    .long 1b - ., 2b - .
    .short 2, 0
