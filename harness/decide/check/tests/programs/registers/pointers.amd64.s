# A store through FP changes a save slot only where FP was set from SP: otherwise it may be a pointer
# that walks through the frame, and exploration does not know how far.
# check: explore
#
# case: FP walks up to the slots
# with set: lea 8(%rsp), %rbp
# with store: mov %rdi, -8(%rbp); add $8, %rbp
# with later:
# expect: clean, 13 of 13 reached
#
# case: another register walks
# with set: lea 8(%rsp), %rax
# with store: mov %rdi, -8(%rax); add $8, %rax
# with later:
# expect: clean, 13 of 13 reached
#
# case: FP loaded
# with set: mov 8(%rdx), %rbp
# with store: mov %rdi, -8(%rbp); add $8, %rbp
# with later:
# expect: clean, 13 of 13 reached
#
# case: FP loaded with an address in the frame
# with set: lea 40(%rsp), %rax; mov %rax, (%rsp); mov (%rsp), %rbp
# with store: mov %rdi, -8(%rbp)
# with later:
# expect: clean, 14 of 14 reached
#
# case: FP set from SP, and the slot of rbx lent out
# with set: mov 32(%rsp), %rax; mov %rsp, %rbp; mov %rdi, 32(%rbp)
# with store: nop
# with later: mov %rax, 32(%rsp)
# expect: error, 14 of 14 reached
# expect: error eh-frame/register-matches-truth at .text+0x12..0x24
    .globl f
    .type f, @function
f:  .cfi_startproc
    push %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset rbp, -16
    push %rbx
    .cfi_def_cfa_offset 24
    .cfi_offset rbx, -24
    sub $32, %rsp
    .cfi_def_cfa_offset 56
    {set}
1:  {store}
    mov %rsi, %rbx
    dec %rcx
    jne 1b
    {later}
    add $32, %rsp
    .cfi_def_cfa_offset 24
    pop %rbx
    .cfi_def_cfa_offset 16
    pop %rbp
    .cfi_def_cfa_offset 8
    ret
    .cfi_endproc
    .size f, .-f
