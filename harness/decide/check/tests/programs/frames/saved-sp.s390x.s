# The slot of the saved SP holds no return address that was handed over.
# check: explore
#
# case: lgr %r14, %r15
# with copy: lgr %r14, %r15
# with slot: -48
# expect: clean, 6 of 6 reached
#
# case: lgr %r14, %r15, wrong
# with copy: lgr %r14, %r15
# with slot: -40
# expect: error, 6 of 6 reached
# expect: error eh-frame/ra-matches-truth at .text+0x6..0x1a
#
# case: lgr %r14, %r13
# with copy: lgr %r14, %r13
# with slot: -48
# expect: clean, 6 of 6 reached
#
# case: lgr %r14, %r13, wrong
# with copy: lgr %r14, %r13
# with slot: -56
# expect: error, 6 of 6 reached
# expect: error eh-frame/ra-matches-truth at .text+0x6..0x1a
    .globl f
f:  .cfi_startproc
    stmg %r13, %r15, 104(%r15)
    .cfi_offset 13, -56
    .cfi_offset 14, {slot}
    .cfi_offset 15, -40
    {copy}
    aghi %r15, -168
    .cfi_def_cfa_offset 328
    lg %r4, 280(%r15)
    lmg %r13, %r15, 272(%r15)
    .cfi_restore 15
    .cfi_restore 14
    .cfi_restore 13
    .cfi_def_cfa_offset 160
    br %r4
    .cfi_endproc
