# A way into another function shows nothing of that: it is the frame of the code that would jump
# there if a table were read beyond its end.
# check: explore
# expect: clean, 8 of 8 reached
    .globl f
f:  .cfi_startproc
    subq $24, %rsp
    .cfi_def_cfa_offset 32
    testl %edi, %edi
    js inside
    addq $24, %rsp
    .cfi_def_cfa_offset 8
    ret
    .cfi_endproc
    .globl g
g:  .cfi_startproc
    pushq %rbx
    .cfi_def_cfa_offset 16
inside:
    movl $1, %edi
    ud2
    .cfi_endproc
