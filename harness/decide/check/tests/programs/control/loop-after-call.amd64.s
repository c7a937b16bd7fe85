# A call comes back where only its return and the loop that begins after it lead to that loop.
# check: explore
#
# case: right
# with row: nop
# expect: clean, 7 of 7 reached
#
# case: wrong
# with row: .cfi_def_cfa_offset 24
# expect: error, 7 of 7 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x9..0x19
    .globl f
f:  .cfi_startproc
    subq $8, %rsp
    .cfi_def_cfa_offset 16
    call prepare
1:  {row}
    call next
2:  testl %eax, %eax
    je 1b
    call put
    jmp 2b
    .cfi_endproc
