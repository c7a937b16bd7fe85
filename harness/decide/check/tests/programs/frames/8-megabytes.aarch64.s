# A large frame is explored: 8 MB, which GCC 14 describes 64 bytes too low where its stack is
# probed.
# check: explore
#
# case: right
# with frame: 8388672
# expect: clean, 5 of 5 reached
#
# case: wrong
# with frame: 8388608
# expect: error, 5 of 5 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x8..0x10
    .globl f
f:  .cfi_startproc
    stp x29, x30, [sp, #-64]!
    .cfi_def_cfa_offset 64
    .cfi_offset x29, -64
    .cfi_offset x30, -56
    sub sp, sp, #0x800, lsl #12
    .cfi_def_cfa_offset {frame}
    nop
    add sp, sp, #0x800, lsl #12
    .cfi_def_cfa_offset 64
    ldp x29, x30, [sp], #64
    .cfi_def_cfa_offset 0
    .cfi_restore x29
    .cfi_restore x30
    ret
    .cfi_endproc
