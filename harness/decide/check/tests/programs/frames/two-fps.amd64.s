# A place with FP in two registers is judged by its row: both comparisons are of the same
# register, so that no path reaches 3 with FP in rcx; a compiler may write this for code that it
# considers unreachable.
# check: explore
# expect: undecided, 13 of 13 reached
# expect: undecided unknown-fp at .text+0x0..0x1f: 7 answers
    .globl f
f:  .cfi_startproc
    testl %edi, %edi
    je 3f
    movq %rbp, %rcx
    .cfi_register %rbp, %rcx
    movl $1, %ebp
    cmpl $5, %edx
    ja 3f
2:  addl %ebp, %eax
    movq %rcx, %rbp
    .cfi_restore %rbp
    ret
3:  cmpl $5, %edx
    jbe 2b
    xorl %eax, %eax
    ret
    .cfi_endproc
