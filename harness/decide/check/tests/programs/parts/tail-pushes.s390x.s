# A callee lowers SP and ends with a jump to another function: SP after the call is what the callee
# left.
# check: explore
# expect: clean, 11 of 11 reached
    .globl many
    .type many, @function
many:
    .cfi_startproc
    ag %r2, 160(%r15)
    br %r14
    .cfi_endproc
    .size many, .-many
    .type out, @function
out:
    .cfi_startproc
    aghi %r15, -16
    .cfi_def_cfa_offset 176
    j many
    .cfi_endproc
    .size out, .-out
    .globl test
    .type test, @function
test:
    .cfi_startproc
    stmg %r11, %r15, 88(%r15)
    .cfi_rel_offset %r11, 88
    .cfi_rel_offset %r14, 112
    .cfi_rel_offset %r15, 120
    aghi %r15, -160
    .cfi_adjust_cfa_offset 160
    lgr %r11, %r15
    .cfi_def_cfa_register %r11
    brasl %r14, out
    aghi %r15, 16
    nopr
    lmg %r11, %r15, 248(%r11)
    .cfi_restore %r11
    .cfi_restore %r14
    .cfi_restore %r15
    .cfi_def_cfa %r15, 160
    br %r14
    .cfi_endproc
    .size test, .-test
