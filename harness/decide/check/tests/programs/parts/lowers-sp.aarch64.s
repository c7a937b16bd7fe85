# A callee that lowers SP is executed: clang's `-Oz` with `-homogeneous-prolog-epilog`, where
# several functions call `h` in their prologues.
# check: explore
#
# case: right
# with row: 32
# expect: clean, 6 of 6 reached
#
# case: wrong
# with row: 16
# expect: error, 6 of 6 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x8..0x14
    .globl f
f:  .cfi_startproc
    stp x29, x30, [sp, #-16]!
    .cfi_def_cfa_offset 16
    .cfi_offset w29, -16
    .cfi_offset w30, -8
    bl h
    .cfi_def_cfa_offset {row}
    nop
    bl g
    ldp x19, x20, [sp], #16
    .cfi_def_cfa_offset 16
    ldp x29, x30, [sp], #16
    .cfi_def_cfa_offset 0
    .cfi_restore w29
    .cfi_restore w30
    ret
    .cfi_endproc
h:  stp x19, x20, [sp, #-16]!
    ret
