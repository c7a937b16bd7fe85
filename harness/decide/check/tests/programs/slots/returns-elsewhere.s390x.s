# A function that stores another address where its return address is saved, and returns there, as by
# `__builtin_eh_return`: what the row reads from then on is undecided, and what it read before is judged.
# check: explore
#
# case: the slot of the return address
# with slot: 48
# expect: undecided, 4 of 4 reached
# expect: undecided overwritten-slot at .text+0x0..0x18: 1 answers
#
# case: another slot
# with slot: 56
# expect: error, 4 of 4 reached
# expect: error eh-frame/ra-matches-truth at .text+0x6..0x16
# expect: undecided overwritten-slot at .text+0x0..0x18: 1 answers
    .globl f
    .type f, @function
f:  .cfi_startproc
    stmg %r6, %r15, 48(%r15)
    .cfi_offset 14, -{slot}
    .cfi_offset 15, -40
    nopr
    stg %r3, 112(%r15)
    nopr
    lmg %r6, %r15, 48(%r15)
    .cfi_restore 14
    .cfi_restore 15
    br %r14
    .cfi_endproc
    .size f, . - f
