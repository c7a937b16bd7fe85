# Control does not reach an instruction that `exrl` executes after a call that does not come
# back, at the end of the function, nor the function after it.
# check: explore
# link: -shared
# expect: clean, 7 of 7 reached
    .globl f
    .type f, @function
f:  .cfi_startproc
    stmg %r6, %r15, 48(%r15)
    .cfi_offset 14, -48
    lay %r15, -184(%r15)
    .cfi_def_cfa_offset 344
    exrl %r1, 1f
    brasl %r14, stop@PLT
1:  mvc 160(1, %r15), 0(%r2)
    .cfi_endproc
    .cfi_startproc
    stmg %r6, %r15, 48(%r15)
    .cfi_offset 14, -48
    lay %r15, -184(%r15)
    .cfi_def_cfa_offset 344
    brasl %r14, stop@PLT
    .cfi_endproc
