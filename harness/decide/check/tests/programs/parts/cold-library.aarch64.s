# A part after a call through the procedure linkage table is not judged as called: the address
# after that call is no return address.
# check: explore
# link: -shared
#
# case: right
# with row: 48
# expect: clean, 13 of 13 reached
#
# case: wrong
# with row: 40
# expect: error, 13 of 13 reached
# expect: error eh-frame/reads-dead-stack at 0x298..0x2a4
    .globl g
g:  .cfi_startproc
    sub sp, sp, #48
    .cfi_def_cfa_offset 48
    str x30, [sp]
    .cfi_offset x30, -48
    cbnz w0, cold
    ldr x30, [sp]
    .cfi_restore x30
    add sp, sp, #48
    .cfi_def_cfa_offset 0
    ret
    .cfi_endproc
    .globl f
f:  .cfi_startproc
    cbnz w0, 1f
    ret
1:  str x30, [sp, #-16]!
    .cfi_def_cfa_offset 16
    .cfi_offset x30, -16
    bl abort
    .cfi_endproc
cold: .cfi_startproc
    .cfi_def_cfa_offset {row}
    .cfi_offset x30, -48
    mov w0, #1
    bl raise
    bl abort
    .cfi_endproc
