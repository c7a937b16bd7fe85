# Code after a pop of the return address is judged: the CFA is SP where it is in a register
# alone.
# check: explore
#
# case: right
# with popped: 0
# with lowered: 24
# expect: clean, 8 of 8 reached
#
# case: wrong after the pop
# with popped: 8
# with lowered: 24
# expect: error, 8 of 8 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x1..0x6
#
# case: wrong where SP is lowered
# with popped: 0
# with lowered: 16
# expect: error, 8 of 8 reached
# expect: error eh-frame/cfa-matches-truth at .text+0xb..0xf
    .globl f
f:  .cfi_startproc
    popq %rcx
    .cfi_def_cfa_offset {popped}
    .cfi_register %rip, %rcx
    testl %edi, %edi
    je 1f
    pushq %rcx
    .cfi_def_cfa_offset 8
    .cfi_offset %rip, -8
    ret
1:  .cfi_def_cfa_offset 0
    .cfi_register %rip, %rcx
    subq $24, %rsp
    .cfi_def_cfa_offset {lowered}
    addq $24, %rsp
    .cfi_def_cfa_offset 0
    jmp *%rcx
    .cfi_endproc
