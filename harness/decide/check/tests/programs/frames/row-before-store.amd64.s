# A row that has a value in its slot before it is stored is wrong up to the store, not after it.
# check: explore
# expect: error, 8 of 8 reached
# expect: error eh-frame/fp-matches-truth at .text+0x4..0xe
    .globl f
f:  .cfi_startproc
    subq $24, %rsp
    .cfi_def_cfa_offset 32
    .cfi_offset %rbp, -24
    movl $1, %eax
    movq %rbp, 8(%rsp)
    movl $2, %edx
    movl $3, %ebp
    movq 8(%rsp), %rbp
    .cfi_restore %rbp
    addq $24, %rsp
    .cfi_def_cfa_offset 8
    ret
    .cfi_endproc
