# A computed goto through the link register is no return.
# check: explore
# expect: clean, 14 of 14 reached
test:
    .cfi_startproc
    stmg %r11, %r15, 88(%r15)
    .cfi_rel_offset %r11, 88
    .cfi_rel_offset %r14, 112
    .cfi_rel_offset %r15, 120
    aghi %r15, -160
    .cfi_adjust_cfa_offset 160
    lghi %r11, 0
    larl %r14, 2f
    br %r14
1:  br %r1
2:  aghi %r11, 1
    larl %r1, 3f
    cgijh %r11, 1, 4f
    j 1b
3:  nopr
    larl %r5, 2b
    br %r5
4:  lmg %r11, %r15, 248(%r15)
    .cfi_restore %r11
    .cfi_restore %r14
    .cfi_restore %r15
    .cfi_adjust_cfa_offset -160
    br %r14
    .cfi_endproc
