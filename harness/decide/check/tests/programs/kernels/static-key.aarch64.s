# Code that is reached only after a no-op was patched into a jump: `__jump_table` pairs both places.
# check: explore
# with depth: 32
#
# case: right
# expect: clean, 7 of 7 reached
#
# case: wrong
# with depth: 48
# expect: error, 7 of 7 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x14..0x20
    .globl f
    .type f, %function
f:  .cfi_startproc
    stp x29, x30, [sp, #-32]!
    .cfi_def_cfa_offset 32
    .cfi_offset 29, -32
    .cfi_offset 30, -24
1:  nop
    mov w0, #1
3:  ldp x29, x30, [sp], #32
    .cfi_def_cfa_offset 0
    .cfi_restore 29
    .cfi_restore 30
    ret
2:  .cfi_def_cfa_offset {depth}
    .cfi_offset 29, -32
    .cfi_offset 30, -24
    add w0, w0, #2
    mul w0, w0, w0
    b 3b
    .cfi_endproc
    .size f, .-f
    .section __jump_table, "aw"
    .balign 8
    .word 1b - ., 2b - .
    .xword key - .
    .data
key: .xword 0
