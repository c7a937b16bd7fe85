# A part that one jump enters is not judged as called: it has the frame of the function before it,
# and follows a call that does not return in another frame.
# check: explore
#
# case: right
# with row: 48
# expect: clean, 14 of 14 reached
#
# case: wrong
# with row: 40
# expect: error, 14 of 14 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x1f..0x2e
    .globl g
g:  .cfi_startproc
    subq $40, %rsp
    .cfi_def_cfa_offset 48
    testl %edi, %edi
    jne cold
    addq $40, %rsp
    .cfi_def_cfa_offset 8
    ret
    .cfi_endproc
    .globl f
f:  .cfi_startproc
    subq $24, %rsp
    .cfi_def_cfa_offset 32
    testl %edi, %edi
    jne 1f
    addq $24, %rsp
    .cfi_def_cfa_offset 8
    ret
1:  .cfi_def_cfa_offset 32
    call abort@PLT
    .cfi_endproc
cold: .cfi_startproc
    .cfi_def_cfa_offset {row}
    movl $1, %edi
    call raise@PLT
    call abort@PLT
    .cfi_endproc
