# A load that may fault continues at its fixup: `__ex_table` pairs both places.
# check: explore
# with depth: 32
# with type: .short 1, 0
#
# case: right
# expect: clean, 6 of 6 reached
#
# case: wrong
# with depth: 48
# expect: error, 6 of 6 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x10..0x18
#
# case: wrong, entries of 8 bytes
# with depth: 48
# with type:
# expect: error, 6 of 6 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x10..0x18
    .globl f
    .type f, %function
f:  .cfi_startproc
    stp x29, x30, [sp, #-32]!
    .cfi_def_cfa_offset 32
    .cfi_offset 29, -32
    .cfi_offset 30, -24
1:  ldtr x0, [x0]
3:  ldp x29, x30, [sp], #32
    .cfi_def_cfa_offset 0
    .cfi_restore 29
    .cfi_restore 30
    ret
2:  .cfi_def_cfa_offset {depth}
    .cfi_offset 29, -32
    .cfi_offset 30, -24
    mov x0, #-14
    b 3b
    .cfi_endproc
    .size f, .-f
    .section __ex_table, "a"
    .balign 4
    .word 1b - ., 2b - .
    {type}
