# As for AArch64, with the result in r2.
# check: explore
# expect: undecided, 6 of 10 reached
# expect: undecided unconfirmed-state at .text+0x0..0x2c: 2 answers
    .globl f
f:  .cfi_startproc
    stmg %r11, %r15, 88(%r15)
    .cfi_offset %r11, -72
    .cfi_offset %r12, -64
    .cfi_offset %r13, -56
    .cfi_offset %r14, -48
    .cfi_offset %r15, -40
    aghi %r15, -176
    .cfi_def_cfa_offset 336
    lgr %r11, %r15
    la %r2, 16(%r15)
    brasl %r14, g
    lgr %r15, %r2
    .cfi_def_cfa_offset 320
    lghi %r1, 0
    lgr %r15, %r11
    .cfi_def_cfa_offset 336
    lmg %r11, %r15, 264(%r15)
    .cfi_restore %r11
    .cfi_restore %r12
    .cfi_restore %r13
    .cfi_restore %r14
    .cfi_restore %r15
    .cfi_def_cfa_offset 160
    br %r14
    .cfi_endproc
