# A callee is seen to overwrite a register that it need not keep: a CFA in that register is wrong
# after the call.
# check: explore
# expect: error, 9 of 9 reached
# expect: error eh-frame/ra-matches-truth at .text+0x1a..0x20
    .type overwrites, @function
overwrites:
    .cfi_startproc
    lghi %r4, 0
    br %r14
    .cfi_endproc
    .size overwrites, .-overwrites
    .globl f
    .type f, @function
f:  .cfi_startproc
    lgr %r4, %r15
    .cfi_def_cfa %r4, 160
    stg %r14, 112(%r15)
    .cfi_offset %r14, -48
    aghi %r15, -160
    brasl %r14, overwrites
    nopr
    aghi %r15, 160
    .cfi_def_cfa %r15, 160
    lg %r14, 112(%r15)
    .cfi_restore %r14
    br %r14
    .cfi_endproc
    .size f, .-f
