# A part that one jump enters is not judged as called: it has the frame of the function before it,
# and follows a call that does not return in another frame.
# check: explore
#
# case: right
# with row: 320
# expect: clean, 15 of 15 reached
#
# case: wrong
# with row: 312
# expect: error, 15 of 15 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x32..0x42
    .globl g
g:  .cfi_startproc
    stmg %r14, %r15, 112(%r15)
    .cfi_offset 14, -48
    .cfi_offset 15, -40
    aghi %r15, -160
    .cfi_def_cfa_offset 320
    ltr %r2, %r2
    jgne cold
    lmg %r14, %r15, 272(%r15)
    .cfi_restore 14
    .cfi_restore 15
    .cfi_def_cfa_offset 160
    br %r14
    .cfi_endproc
    .globl f
f:  .cfi_startproc
    ltr %r2, %r2
    jne 1f
    br %r14
1:  stmg %r14, %r15, 112(%r15)
    .cfi_offset 14, -48
    .cfi_offset 15, -40
    aghi %r15, -240
    .cfi_def_cfa_offset 400
    brasl %r14, abort
    .cfi_endproc
cold: .cfi_startproc
    .cfi_def_cfa_offset {row}
    .cfi_offset 14, -48
    .cfi_offset 15, -40
    lghi %r2, 1
    brasl %r14, raise
    brasl %r14, abort
    .cfi_endproc
