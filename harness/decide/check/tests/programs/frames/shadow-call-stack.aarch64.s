# A shadow call stack is no save slot: clang's `-fsanitize=shadow-call-stack`, where no code
# sets x18.
# check: explore
#
# case: right
# with slot: -8
# expect: clean, 7 of 7 reached
#
# case: wrong
# with slot: -16
# expect: error, 7 of 7 reached
# expect: error eh-frame/ra-matches-truth at .text+0x8..0x14
    .globl f
f:  .cfi_startproc
    str x30, [x18], #8
    stp x29, x30, [sp, #-16]!
    .cfi_def_cfa_offset 16
    .cfi_offset x29, -16
    .cfi_offset x30, {slot}
    mov x29, sp
    bl g
    ldp x29, x30, [sp], #16
    .cfi_restore x29
    .cfi_restore x30
    .cfi_def_cfa_offset 0
    ldr x30, [x18, #-8]!
    ret
    .cfi_endproc
