# A jump to another function with the address of the next instruction as its return address is a
# call: the jump's target is entered as called, and control comes back.
# check: explore
#
# case: direct
# with jump: jg g
# with offset: 320
# expect: clean, 9 of 9 reached
#
# case: indirect
# with jump: br %r1
# with offset: 320
# expect: clean, 9 of 9 reached
#
# case: of the function itself
# with jump: jg f
# with offset: 320
# expect: clean, 9 of 9 reached
#
# case: wrong
# with jump: jg g
# with offset: 336
# expect: error, 9 of 9 reached
# expect: error eh-frame/cfa-matches-truth at .text+0xe..0x2e
    .type g, @function
g:  .cfi_startproc
    nopr
    br %r14
    .cfi_endproc
    .globl f
    .type f, @function
f:  .cfi_startproc
    stmg %r14, %r15, 112(%r15)
    .cfi_offset 14, -48
    .cfi_offset 15, -40
    aghi %r15, -160
    .cfi_def_cfa_offset {offset}
    brasl %r14, g
    larl %r1, g
    larl %r14, 1f
    {jump}
1:  nopr %r7
    lmg %r14, %r15, 272(%r15)
    .cfi_def_cfa_offset 160
    .cfi_restore 14
    .cfi_restore 15
    br %r14
    .cfi_endproc
