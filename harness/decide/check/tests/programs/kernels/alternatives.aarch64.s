# A branch that a processor's feature replaces by a no-op, so that control continues after it. The
# replacement is in a section that no table describes.
# check: explore
# with depth: 16
#
# case: right
# expect: clean, 5 of 5 reached
#
# case: wrong
# with depth: 32
# expect: error, 5 of 5 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x8..0xc
    .globl f
    .type f, %function
f:  .cfi_startproc
    str x19, [sp, #-16]!
    .cfi_def_cfa_offset 16
    .cfi_offset 19, -16
1:  b 5f
2:  .cfi_def_cfa_offset {depth}
    add w0, w0, #1
    .cfi_def_cfa_offset 16
5:  ldr x19, [sp], #16
    .cfi_def_cfa_offset 0
    .cfi_restore 19
    ret
    .cfi_endproc
    .size f, .-f
    .section .altinstructions, "a"
    .word 1b - ., 6f - .
    .hword 8
    .byte 4, 4
    .section .altinstr_replacement, "ax"
6:  nop
