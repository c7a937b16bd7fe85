# A function that stores another address in place of its return address, and returns there, as by
# `__builtin_eh_return`: what the row reads from then on is undecided, and what it read before is judged.
# check: explore
#
# case: the slot of the return address
# with slot: 8
# expect: undecided, 4 of 4 reached
# expect: undecided overwritten-slot at .text+0x0..0x10: 3 answers
#
# case: another slot
# with slot: 16
# expect: error, 4 of 4 reached
# expect: error eh-frame/ra-matches-truth at .text+0x4..0xa
# expect: undecided overwritten-slot at .text+0x0..0x10: 3 answers
    .globl f
    .type f, @function
f:  .cfi_startproc
    subq $24, %rsp
    .cfi_def_cfa_offset 32
    .cfi_offset rip, -{slot}
    nop
    movq %rsi, 24(%rsp)
    nop
    addq $24, %rsp
    .cfi_def_cfa_offset 8
    .cfi_offset rip, -8
    ret
    .cfi_endproc
    .size f, . - f
