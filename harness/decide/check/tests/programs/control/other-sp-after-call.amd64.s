# A call does not come back where another path leads to the code after it with another SP:
# nothing shows that it returns.
# check: explore
# expect: clean, 6 of 6 reached
    .globl f
f:  .cfi_startproc
    testl %edi, %edi
    je 1f
    subq $8, %rsp
    .cfi_def_cfa_offset 16
    call die
1:  .cfi_def_cfa_offset 8
    call next
    jmp 1b
    .cfi_endproc
