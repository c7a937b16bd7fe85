# A stack of a made-up address makes no error, and hides none after it: OCaml 5's
# `caml_start_program` switches to another stack and back.
# check: explore
#
# case: right
# with row: 16
# expect: undecided, 8 of 11 reached
# expect: undecided unconfirmed-state at .text+0x0..0x30: 3 answers
#
# case: wrong
# with row: 24
# expect: error, 8 of 11 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x24..0x28
# expect: undecided unconfirmed-state at .text+0x0..0x30: 3 answers
    .globl f
f:  .cfi_startproc
    stp x19, x30, [sp, #-16]!
    .cfi_def_cfa_offset 16
    .cfi_offset x19, -16
    .cfi_offset x30, -8
    mov x19, x0
    mov x1, sp
    str x1, [x19, #8]
    ldr x1, [x19]
    mov sp, x1
    bl g
    ldr x1, [x19, #8]
    mov sp, x1
    .cfi_def_cfa_offset {row}
    nop
    .cfi_def_cfa_offset 16
    ldp x19, x30, [sp], #16
    .cfi_restore x19
    .cfi_restore x30
    .cfi_def_cfa_offset 0
    ret
    .cfi_endproc
