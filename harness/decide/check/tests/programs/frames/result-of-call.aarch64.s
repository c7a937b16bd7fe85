# A callee of another file returns its results in x0 and x1: what was an address on the stack at the
# call is not known to be one after it, nor whether the CFA that follows from it is right.
# check: explore
#
# case: first
# with result: x0
# expect: undecided, 5 of 9 reached
# expect: undecided unconfirmed-state at .text+0x0..0x24: 2 answers
#
# case: second
# with result: x1
# expect: undecided, 5 of 9 reached
# expect: undecided unconfirmed-state at .text+0x0..0x24: 2 answers
    .globl f
f:  .cfi_startproc
    stp x29, x30, [sp, #-48]!
    .cfi_def_cfa_offset 48
    .cfi_offset x29, -48
    .cfi_offset x30, -40
    mov x29, sp
    add {result}, sp, #16
    bl g
    mov sp, {result}
    .cfi_def_cfa_offset 32
    mov x9, #1
    mov sp, x29
    .cfi_def_cfa_offset 48
    ldp x29, x30, [sp], #48
    .cfi_def_cfa_offset 0
    .cfi_restore x29
    .cfi_restore x30
    ret
    .cfi_endproc
