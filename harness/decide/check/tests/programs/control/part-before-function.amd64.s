# A split-off part at a lower address than its function, which nothing in the file calls: the
# function is executed first, and the part is judged in its frame.
# check: explore
#
# case: right
# with row: 32
# expect: clean, 7 of 7 reached
#
# case: wrong
# with row: 40
# expect: error, 7 of 7 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x0..0x7
    .type f.cold, @function
f.cold:
    .cfi_startproc
    .cfi_def_cfa_offset {row}
    movl $1, %edi
    ud2
    .cfi_endproc
    .type f, @function
f:  .cfi_startproc
    subq $24, %rsp
    .cfi_def_cfa_offset 32
    testl %edi, %edi
    js f.cold
    addq $24, %rsp
    .cfi_def_cfa_offset 8
    ret
    .cfi_endproc
