# A computed goto through the link register is no return.
# check: explore
# expect: clean, 12 of 12 reached
test:
    .cfi_startproc
    stp x29, x30, [sp, -16]!
    .cfi_def_cfa_offset 16
    .cfi_offset x29, -16
    .cfi_offset x30, -8
    mov x29, sp
    adr x30, 2f
    br x30
1:  br x1
2:  adr x1, 3f
    cbz x0, 4f
    b 1b
3:  nop
    adr x30, 2b
    ret
4:  ldp x29, x30, [sp], 16
    .cfi_restore x29
    .cfi_restore x30
    .cfi_def_cfa_offset 0
    ret
    .cfi_endproc
