# Code that notes whether it is executed speculatively, and destroys SP before calls if so, is
# executed as the branches lead: `gcc -mtrack-speculation`.
# check: explore
#
# case: a condition
# with branch: cmp w0, #0; b.eq 1f; csel x15, x15, xzr, ne
# with other: csel x15, x15, xzr, eq
# with offset: 16
# expect: clean, 15 of 15 reached
#
# case: a condition, wrong
# with branch: cmp w0, #0; b.eq 1f; csel x15, x15, xzr, ne
# with other: csel x15, x15, xzr, eq
# with offset: 32
# expect: error, 15 of 15 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x4..0x40
#
# case: a register
# with branch: cbz w0, 1f; cmp w0, #0; csel x15, x15, xzr, ne
# with other: cmp w0, #0; csel x15, x15, xzr, eq
# with offset: 16
# expect: clean, 16 of 16 reached
#
# case: a bit
# with branch: tbnz x0, #33, 1f; tst x0, #0x200000000; csel x15, x15, xzr, eq
# with other: tst x0, #0x200000000; csel x15, x15, xzr, ne
# with offset: 16
# expect: clean, 16 of 16 reached
    .globl f
f:  .cfi_startproc
    sub sp, sp, #16
    .cfi_def_cfa_offset {offset}
    mov x15, #-1
    {branch}
    mov x14, sp
    and x14, x14, x15
    mov sp, x14
    nop
    b 2f
1:  {other}
    mov x14, sp
    and x14, x14, x15
    mov sp, x14
    nop
2:  add sp, sp, #16
    .cfi_def_cfa_offset 0
    ret
    .cfi_endproc
