# A function that stores another address where its return address is saved, and returns there, as by
# `__builtin_eh_return`: what the row reads from then on is undecided, and what it read before is judged.
# check: explore
#
# case: the slot of the return address
# with slot: 24
# expect: undecided, 4 of 4 reached
# expect: undecided overwritten-slot at .text+0x0..0x18: 1 answers
#
# case: another slot
# with slot: 16
# expect: error, 4 of 4 reached
# expect: error eh-frame/ra-matches-truth at .text+0x4..0x14
# expect: undecided overwritten-slot at .text+0x0..0x18: 1 answers
    .globl f
    .type f, %function
f:  .cfi_startproc
    stp x29, x30, [sp, #-32]!
    .cfi_def_cfa_offset 32
    .cfi_offset x29, -32
    .cfi_offset x30, -{slot}
    nop
    str x1, [sp, #8]
    nop
    ldp x29, x30, [sp], #32
    .cfi_def_cfa_offset 0
    .cfi_restore x29
    .cfi_restore x30
    ret
    .cfi_endproc
    .size f, . - f
