# GCC's epilogues of leaf functions that saved SP in a register lower the CFA before they restore
# SP. `.eh_frame` has a rule for SP, which is right there; `.sframe` has none, and is wrong.
# check: explore
#
# case: late
# with early:
# with late: .cfi_restore 15; .cfi_def_cfa_offset 160
# expect: clean, 6 of 6 reached
#
# case: early
# with early: .cfi_def_cfa_offset 160
# with late: .cfi_restore 15
# expect: clean, 6 of 6 reached
# expect: info eh-frame/cfa-matches-truth at .text+0xe..0x16
#
# case: early, without the rule for SP
# with early: .cfi_restore 15; .cfi_def_cfa_offset 160
# with late:
# expect: error, 6 of 6 reached
# expect: error eh-frame/cfa-matches-truth at .text+0xe..0x16
    .globl f
    .type f, @function
f:  .cfi_startproc
    ldgr %f0, %r15
    .cfi_register 15, 16
    lay %r15, -192(%r15)
    .cfi_def_cfa_offset 352
    lghi %r2, 1
    {early}
    lghi %r3, 1
    lgdr %r15, %f0
    {late}
    br %r14
    .cfi_endproc
    .size f, . - f
