# A function that does not keep FP is judged without it: after the pop, only FP would be wrong.
# check: explore
# show: notes
# expect: error, 8 of 8 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x11..0x12
# expect: undecided unknown-fp at .text+0xe..0x13: 2 answers
# expect: note no .sframe section: .eh_frame is judged alone
# expect: note explored 2 functions with made-up inputs; 2 ranges not reported: a table is wrong there only with some made-up values
    .globl g
g:  .cfi_startproc
    subq $8, %rsp
    .cfi_def_cfa_offset 16
    call f
    addq $8, %rsp
    .cfi_def_cfa_offset 8
    ret
    .cfi_endproc
f:  .cfi_startproc
    xorl %ebp, %ebp
    pushq %rbx
    .cfi_def_cfa_offset 24
    popq %rbx
    .cfi_def_cfa_offset 8
    ret
    .cfi_endproc
