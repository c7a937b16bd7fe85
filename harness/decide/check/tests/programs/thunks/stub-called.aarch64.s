# A called stub executes in the frame of the function that contains it, or is a function that it
# calls: which of the two its rows describe depends on the code before it (gcc's
# `-mharden-sls=blr`).
# check: explore
# with after:
# with within:
#
# case: right
# expect: clean, 7 of 7 reached
#
# case: wrong after it
# with after: .cfi_def_cfa_offset 32
# expect: error, 7 of 7 reached
# expect: error eh-frame/cfa-matches-truth at .text+0xc..0x10
#
# case: wrong within
# with within: .cfi_def_cfa_offset 32
# expect: error, 7 of 7 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x14..0x1c
#
# case: as called
# with within: .cfi_restore 30; .cfi_restore 29; .cfi_def_cfa 31, 0
# expect: clean, 7 of 7 reached
#
# case: wrong as called
# with within: .cfi_restore 30; .cfi_restore 29; .cfi_def_cfa 31, 16
# expect: error, 7 of 7 reached
# expect: error eh-frame/ra-matches-truth at .text+0x14..0x1c
#
# case: as called, where the link register has the return address of the stub
# with after: .cfi_remember_state; .cfi_restore 30; .cfi_restore 29; .cfi_def_cfa 31, 0; nop; .cfi_restore_state
# expect: error, 7 of 7 reached
# expect: error eh-frame/cfa-matches-truth at .text+0xc..0x10
    .globl f
f:  .cfi_startproc
    stp x29, x30, [sp, -16]!
    .cfi_def_cfa_offset 16
    .cfi_offset 29, -16
    .cfi_offset 30, -8
    mov x29, sp
    .cfi_def_cfa_register 29
    bl 2f
    .cfi_remember_state
    {after}
    ldp x29, x30, [sp], 16
    .cfi_restore 30
    .cfi_restore 29
    .cfi_def_cfa 31, 0
    ret
    .cfi_restore_state
2:  {within}
    mov x16, x1
    br x16
    dsb sy
    isb
    .cfi_endproc
