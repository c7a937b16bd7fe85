# As for AArch64, with the results in rax and rdx, and a callee whose address a register has.
# check: explore
#
# case: first
# with result: %rax
# expect: undecided, 6 of 10 reached
# expect: undecided unconfirmed-state at .text+0x0..0x1c: 2 answers
#
# case: second
# with result: %rdx
# expect: undecided, 6 of 10 reached
# expect: undecided unconfirmed-state at .text+0x0..0x1c: 2 answers
    .globl f
f:  .cfi_startproc
    push %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset %rbp, -16
    mov %rsp, %rbp
    sub $32, %rsp
    .cfi_def_cfa_offset 48
    lea 16(%rsp), {result}
    call *%rdi
    mov {result}, %rsp
    .cfi_def_cfa_offset 32
    mov $1, %ecx
    mov %rbp, %rsp
    .cfi_def_cfa_offset 16
    pop %rbp
    .cfi_def_cfa_offset 8
    .cfi_restore %rbp
    ret
    .cfi_endproc
