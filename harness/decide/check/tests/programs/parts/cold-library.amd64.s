# A part after a call through the procedure linkage table is not judged as called: the address
# after that call is no return address.
# check: explore
# link: -shared
#
# case: right
# with row: 48
# expect: clean, 22 of 22 reached
#
# case: wrong
# with row: 40
# expect: error, 22 of 22 reached
# expect: error eh-frame/cfa-matches-truth at 0x104f..0x105e
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
