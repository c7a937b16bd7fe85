# A jump to another function with the address of the next instruction as its return address is a
# call: the jump's target is entered as called, and control comes back.
# check: explore
#
# case: direct
# with jump: b g
# with offset: 16
# expect: clean, 8 of 8 reached
#
# case: indirect
# with jump: br x1
# with offset: 16
# expect: clean, 8 of 8 reached
#
# case: of the function itself
# with jump: b f
# with offset: 16
# expect: clean, 8 of 8 reached
#
# case: wrong
# with jump: b g
# with offset: 32
# expect: error, 8 of 8 reached
# expect: error eh-frame/cfa-matches-truth at .text+0xc..0x24
    .type g, %function
g:  .cfi_startproc
    nop
    ret
    .cfi_endproc
    .globl f
    .type f, %function
f:  .cfi_startproc
    stp x29, x30, [sp, #-16]!
    .cfi_def_cfa_offset {offset}
    .cfi_offset x29, -{offset}
    .cfi_offset x30, 8-{offset}
    bl g
    adr x1, g
    adr x30, 1f
    {jump}
1:  nop
    ldp x29, x30, [sp], #16
    .cfi_def_cfa_offset 0
    .cfi_restore x29
    .cfi_restore x30
    ret
    .cfi_endproc
