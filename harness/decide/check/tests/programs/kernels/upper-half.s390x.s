# An image of the upper half of the address space is executed and explored there.
# check: explore
# link: -e f -Ttext-segment=0xffffffff80000000
# with depth: 320
#
# case: right
# expect: clean, 11 of 11 reached, exited 0
# expect: info eh-frame/outermost at 0xffffffff800000b0..0xffffffff800000ca
#
# case: wrong
# with depth: 328
# expect: error, 11 of 11 reached, exited 0
# expect: error eh-frame/cfa-matches-truth at 0xffffffff800000ba..0xffffffff800000d0
# expect: info eh-frame/outermost at 0xffffffff800000b0..0xffffffff800000ca
    .globl f
    .type f, @function
f:  .cfi_startproc
    stmg %r14, %r15, 112(%r15)
    .cfi_offset %r14, -48
    .cfi_offset %r15, -40
    aghi %r15, -160
    .cfi_def_cfa_offset {depth}
    brasl %r14, g
    lghi %r2, 0
    lghi %r1, 1
    svc 0
    lmg %r14, %r15, 272(%r15)
    .cfi_restore %r14
    .cfi_restore %r15
    .cfi_def_cfa_offset 160
    br %r14
    .cfi_endproc
    .size f, .-f
    .type g, @function
g:  .cfi_startproc
    larl %r1, word
    lg %r2, 0(%r1)
    br %r14
    .cfi_endproc
    .size g, .-g
    .data
word: .quad 5
