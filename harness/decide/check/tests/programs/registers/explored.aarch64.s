# Exploration shows the place of each register that a call preserves, floating-point registers
# included. There is no red zone.
# check: explore
#
# case: right
# with pair: .cfi_offset 19, -32; .cfi_offset 20, -24
# with d8: .cfi_offset 72, -16
# with restored: .cfi_restore 19; .cfi_restore 20; .cfi_restore 72
# expect: clean, 11 of 11 reached
#
# case: pair swapped
# with pair: .cfi_offset 19, -24; .cfi_offset 20, -32
# with d8: .cfi_offset 72, -16
# with restored: .cfi_restore 19; .cfi_restore 20; .cfi_restore 72
# expect: error, 11 of 11 reached
# expect: error eh-frame/register-matches-truth at .text+0x8..0x2c
#
# case: d8 one slot too high
# with pair: .cfi_offset 19, -32; .cfi_offset 20, -24
# with d8: .cfi_offset 72, -8
# with restored: .cfi_restore 19; .cfi_restore 20; .cfi_restore 72
# expect: error, 11 of 11 reached
# expect: error eh-frame/register-matches-truth at .text+0xc..0x2c
#
# case: no rule for d8
# with pair: .cfi_offset 19, -32; .cfi_offset 20, -24
# with d8:
# with restored: .cfi_restore 19; .cfi_restore 20
# expect: error, 11 of 11 reached
# expect: error eh-frame/register-matches-truth at .text+0x1c..0x28
#
# case: no rule for x20
# with pair: .cfi_offset 19, -32
# with d8: .cfi_offset 72, -16
# with restored: .cfi_restore 19; .cfi_restore 72
# expect: error, 11 of 11 reached
# expect: error eh-frame/register-matches-truth at .text+0x18..0x24
#
# case: x19 not restored in the table
# with pair: .cfi_offset 19, -32; .cfi_offset 20, -24
# with d8: .cfi_offset 72, -16
# with restored: .cfi_restore 20; .cfi_restore 72
# expect: error, 11 of 11 reached
# expect: error eh-frame/register-matches-truth at .text+0x2c..0x30
    .globl f
    .type f, %function
f:  .cfi_startproc
    stp x29, x30, [sp, -48]!
    .cfi_def_cfa_offset 48
    .cfi_offset 29, -48
    .cfi_offset 30, -40
    stp x19, x20, [sp, 16]
    {pair}
    str d8, [sp, 32]
    {d8}
    cbz x0, 1f
    mov x19, x0
    mov x20, x1
    fmov d8, x1
1:  nop
    ldp x19, x20, [sp, 16]
    ldr d8, [sp, 32]
    ldp x29, x30, [sp], 48
    .cfi_restore 29
    .cfi_restore 30
    .cfi_def_cfa_offset 0
    {restored}
    ret
    .cfi_endproc
    .size f, .-f
