# A callee that lowers SP is executed.
# check: explore
#
# case: right
# with row: 320
# expect: clean, 5 of 5 reached
#
# case: wrong
# with row: 160
# expect: error, 5 of 5 reached
# expect: error eh-frame/cfa-matches-truth at .text+0xc..0x1a
    .globl f
f:  .cfi_startproc
    stmg %r11, %r15, 88(%r15)
    .cfi_offset %r11, -72
    .cfi_offset %r14, -48
    .cfi_offset %r15, -40
    brasl %r14, h
    .cfi_def_cfa_offset {row}
    nopr
    brasl %r14, g
    lmg %r11, %r15, 248(%r15)
    .cfi_def_cfa_offset 160
    .cfi_restore %r11
    .cfi_restore %r14
    .cfi_restore %r15
    br %r14
    .cfi_endproc
h:  aghi %r15, -160
    br %r14
