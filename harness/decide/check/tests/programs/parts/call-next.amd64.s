# A call of the next instruction in an object is no call: its field is 0, as one that the linker
# fills in. The call of `g` pops an argument that was pushed for it (`clang -Oz`).
# check: explore
#
# case: right
# with row: 16
# expect: clean, 8 of 8 reached
#
# case: wrong
# with row: 24
# expect: error, 8 of 8 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x7..0x9
    .globl f
f:  .cfi_startproc
    pushq %rbx
    .cfi_def_cfa_offset 16
    .cfi_offset %rbx, -16
    call 1f
1:  .cfi_def_cfa_offset 24
    popq %rbx
    .cfi_def_cfa_offset {row}
    pushq $1
    .cfi_def_cfa_offset 24
    call g
    popq %rcx
    .cfi_def_cfa_offset 16
    popq %rbx
    .cfi_def_cfa_offset 8
    ret
    .cfi_endproc
