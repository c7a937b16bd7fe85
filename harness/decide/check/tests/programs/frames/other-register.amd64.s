# A CFA by a register that holds something else is wrong.
# check: explore
# expect: error, 3 of 3 reached
# expect: error eh-frame/ra-matches-truth at .text+0x3..0x7
    .globl f
f:  .cfi_startproc
    movq %rsi, %rdx
    .cfi_def_cfa %rdx, 8
    addq $1, %rax
    .cfi_def_cfa %rsp, 8
    ret
    .cfi_endproc
