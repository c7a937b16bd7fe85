# A frame that is given back by an SP that was kept ends well: only the last row is wrong.
# check: explore
# expect: error, 10 of 10 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x20..0x21
    .globl f
f:  .cfi_startproc
    movq %rsp, %rax
    .cfi_def_cfa_register %rax
    pushq %rbx
    .cfi_offset %rbx, -16
    subq $64, %rsp
    andq $-64, %rsp
    movq %rax, 24(%rsp)
    .cfi_escape 0x0f, 0x05, 0x77, 24, 0x06, 0x23, 0x08
    movq (%rdi), %rbx
    movq 24(%rsp), %rsi
    .cfi_def_cfa %rsi, 8
    movq -8(%rsi), %rbx
    leaq (%rsi), %rsp
    .cfi_def_cfa %rsp, 16
    ret
    .cfi_endproc
