# Code that is reached only after a no-op was patched into a jump: `__jump_table` pairs both places.
# check: explore
# with depth: 320
#
# case: right
# expect: clean, 8 of 8 reached
#
# case: wrong
# with depth: 352
# expect: error, 8 of 8 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x1c..0x28
    .globl f
    .type f, @function
f:  .cfi_startproc
    stmg %r14, %r15, 112(%r15)
    .cfi_offset %r14, -48
    .cfi_offset %r15, -40
    aghi %r15, -160
    .cfi_def_cfa_offset 320
1:  brcl 0, 2f
    lghi %r2, 1
3:  lmg %r14, %r15, 272(%r15)
    .cfi_restore %r14
    .cfi_restore %r15
    .cfi_def_cfa_offset 160
    br %r14
2:  .cfi_def_cfa_offset {depth}
    .cfi_offset %r14, -48
    .cfi_offset %r15, -40
    aghi %r2, 2
    msgr %r2, %r2
    j 3b
    .cfi_endproc
    .size f, .-f
    .section __jump_table, "aw"
    .balign 8
    .long 1b - ., 2b - .
    .quad key + 1 - .
    .data
key: .quad 0
