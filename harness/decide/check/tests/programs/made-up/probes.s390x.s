# A loop that lowers SP by pages and touches each, as with `-fstack-clash-protection`, is left with
# the condition of its end met: the size is an input. The forms are those of gcc and clang.
# check: explore
#
# case: right
# with row: .cfi_def_cfa %r15, 160
# expect: clean, 35 of 35 reached
#
# case: without a row
# with row:
# expect: error, 35 of 35 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x48..0x4a
# expect: error eh-frame/cfa-matches-truth at .text+0xa8..0xaa
    .macro before
    .cfi_startproc
    stmg %r11, %r15, 88(%r15)
    .cfi_offset %r11, -72
    .cfi_offset %r14, -48
    .cfi_offset %r15, -40
    aghi %r15, -160
    .cfi_def_cfa_offset 320
    lgr %r11, %r15
    .cfi_def_cfa_register %r11
    la %r1, 7(%r2)
    risbg %r3, %r1, 0, 128+51, 0
    .endm
    .macro after
    la %r2, 160(%r15)
    brasl %r14, use
    lmg %r11, %r15, 248(%r11)
    {row}
    .cfi_restore %r11
    .cfi_restore %r14
    .cfi_restore %r15
    br %r14
    .cfi_endproc
    .endm
    .globl gcc
    .type gcc, @function
gcc: before
    sgrk %r3, %r15, %r3
    cgr %r15, %r3
    je 2f
1:  lay %r15, -4096(%r15)
    cg %r0, 4088(%r15)
    cgr %r15, %r3
    jne 1b
2:  after
    .globl clang
    .type clang, @function
clang: before
    clgfi %r1, 4096
    jl 2f
1:  slgfi %r1, 4096
    slgfi %r15, 4096
    cg %r15, 4088(%r15)
    clgfi %r1, 4096
    jhe 1b
2:  cgije %r1, 0, 3f
    slgr %r15, %r1
    cg %r15, -8(%r1,%r15)
3:  after
