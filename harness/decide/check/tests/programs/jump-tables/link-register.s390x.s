# A jump by table in the link register, as by clang, is no return of a shared part: `g` has a
# frame when it jumps.
# check: explore
# expect: clean, 13 of 15 reached
    .globl f
f:  .cfi_startproc
    stmg %r14, %r15, 112(%r15)
    .cfi_offset %r14, -48
    .cfi_offset %r15, -40
    aghi %r15, -160
    .cfi_def_cfa_offset 320
    ltgr %r2, %r2
    je 3f
    brasl %r14, g
    nopr
3:  lmg %r14, %r15, 272(%r15)
    .cfi_def_cfa_offset 160
    .cfi_restore %r14
    .cfi_restore %r15
    br %r14
    .cfi_endproc
g:  .cfi_startproc
    stmg %r14, %r15, 112(%r15)
    .cfi_offset %r14, -48
    .cfi_offset %r15, -40
    aghi %r15, -160
    .cfi_def_cfa_offset 320
    larl %r14, table
    sllg %r1, %r2, 2
    agf %r14, 0(%r1,%r14)
    br %r14
1:  nopr
2:  lmg %r14, %r15, 272(%r15)
    .cfi_def_cfa_offset 160
    .cfi_restore %r14
    .cfi_restore %r15
    br %r14
    .cfi_endproc
    .section .rodata
    .balign 4
table: .long 1b-table, 2b-table
