# A callee saves its registers in the area of its caller's frame: a rule for a word there is wrong after
# the call, if the callee is seen to store another value.
# check: explore
#
# case: the slot that the function restores
# with slot: 72
# expect: clean, 12 of 12 reached
#
# case: a copy in the callee's area
# with slot: 232
# expect: error, 12 of 12 reached
# expect: error eh-frame/fp-matches-truth at .text+0x30..0x38
    .type g, @function
g:  .cfi_startproc
    stmg %r10, %r15, 80(%r15)
    .cfi_offset 10, -80
    .cfi_offset 11, -72
    .cfi_offset 14, -48
    .cfi_offset 15, -40
    lghi %r10, 3
    lghi %r11, 4
    lmg %r10, %r15, 80(%r15)
    .cfi_restore 10
    .cfi_restore 11
    .cfi_restore 14
    .cfi_restore 15
    br %r14
    .cfi_endproc
    .size g, . - g
    .globl f
    .type f, @function
f:  .cfi_startproc
    stmg %r11, %r15, 88(%r15)
    .cfi_offset 14, -48
    .cfi_offset 15, -40
    aghi %r15, -160
    .cfi_def_cfa_offset 320
    stg %r11, 88(%r15)
    .cfi_offset 11, -{slot}
    lghi %r11, 9
    brasl %r14, g
    nopr
    lmg %r11, %r15, 248(%r15)
    .cfi_def_cfa_offset 160
    .cfi_restore 11
    .cfi_restore 14
    .cfi_restore 15
    br %r14
    .cfi_endproc
    .size f, . - f
