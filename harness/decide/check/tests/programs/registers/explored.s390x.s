# Exploration shows the place of each register that a call preserves, floating-point registers and
# those that are saved in another register included. The slots are in the caller's frame.
# check: explore
#
# case: right
# with pair: .cfi_offset 6, -112; .cfi_offset 7, -104
# with f8: .cfi_offset 24, -168
# with leaf: .cfi_register 12, 17
# expect: clean, 16 of 16 reached
#
# case: pair swapped
# with pair: .cfi_offset 6, -104; .cfi_offset 7, -112
# with f8: .cfi_offset 24, -168
# with leaf: .cfi_register 12, 17
# expect: error, 16 of 16 reached
# expect: error eh-frame/register-matches-truth at .text+0x6..0x2c
#
# case: f8 one slot too low
# with pair: .cfi_offset 6, -112; .cfi_offset 7, -104
# with f8: .cfi_offset 24, -176
# with leaf: .cfi_register 12, 17
# expect: error, 16 of 16 reached
# expect: error eh-frame/register-matches-truth at .text+0x10..0x26
#
# case: no rule for f8
# with pair: .cfi_offset 6, -112; .cfi_offset 7, -104
# with f8:
# with leaf: .cfi_register 12, 17
# expect: error, 16 of 16 reached
# expect: error eh-frame/register-matches-truth at .text+0x20..0x26
#
# case: no rule for r7
# with pair: .cfi_offset 6, -112
# with f8: .cfi_offset 24, -168
# with leaf: .cfi_register 12, 17
# expect: error, 16 of 16 reached
# expect: error eh-frame/register-matches-truth at .text+0x1e..0x2c
#
# case: no rule for r12, saved in f2
# with pair: .cfi_offset 6, -112; .cfi_offset 7, -104
# with f8: .cfi_offset 24, -168
# with leaf:
# expect: error, 16 of 16 reached
# expect: error eh-frame/register-matches-truth at .text+0x36..0x3a
#
# case: r12 in another register
# with pair: .cfi_offset 6, -112; .cfi_offset 7, -104
# with f8: .cfi_offset 24, -168
# with leaf: .cfi_register 12, 18
# expect: error, 16 of 16 reached
# expect: error eh-frame/register-matches-truth at .text+0x32..0x42
    .globl f
    .type f, @function
f:  .cfi_startproc
    stmg %r6, %r15, 48(%r15)
    .cfi_offset 15, -40
    .cfi_offset 14, -48
    .cfi_offset 11, -72
    {pair}
    lay %r15, -168(%r15)
    .cfi_def_cfa_offset 328
    std %f8, 160(%r15)
    {f8}
    cgije %r2, 0, 1f
    lgr %r6, %r2
    lgr %r7, %r3
    ldr %f8, %f0
1:  nopr 0
    ld %f8, 160(%r15)
    .cfi_restore 24
    lmg %r6, %r15, 216(%r15)
    .cfi_restore 15
    .cfi_restore 14
    .cfi_restore 11
    .cfi_restore 7
    .cfi_restore 6
    .cfi_def_cfa_offset 160
    br %r14
    .cfi_endproc
    .size f, .-f
    .globl g
    .type g, @function
g:  .cfi_startproc
    ldgr %f2, %r12
    {leaf}
    lgr %r12, %r2
    agr %r12, %r3
    lgr %r2, %r12
    lgdr %r12, %f2
    .cfi_restore 12
    br %r14
    .cfi_endproc
    .size g, .-g
