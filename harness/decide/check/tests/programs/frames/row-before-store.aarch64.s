# A row that has a value in its slot before it is stored is wrong up to the store, not after it.
# check: explore
# expect: error, 8 of 8 reached
# expect: error eh-frame/ra-matches-truth at .text+0x4..0xc
    .globl f
f:  .cfi_startproc
    sub sp, sp, #32
    .cfi_def_cfa_offset 32
    .cfi_offset x30, -16
    mov x0, #1
    stp x9, x30, [sp, #8]
    mov x1, #2
    bl g
    ldr x30, [sp, #16]
    .cfi_restore x30
    add sp, sp, #32
    .cfi_def_cfa_offset 0
    ret
    .cfi_endproc
