# Inline assembly lends rbx to an instruction and keeps the caller's value in another register. The row
# that has rbx unchanged is wrong meanwhile: a note where no throw can happen.
# check: explore
#
# case: cpuid
# with between:
# with rule:
# expect: clean, 7 of 7 reached
# expect: info eh-frame/register-matches-truth at .text+0x7..0xa
#
# case: an access of memory
# with between: mov (%rdi), %eax
# with rule:
# expect: error, 8 of 8 reached
# expect: error eh-frame/register-matches-truth at .text+0x7..0xc
#
# case: a call
# with between: call *%rdi
# with rule:
# expect: error, 8 of 8 reached
# expect: error eh-frame/register-matches-truth at .text+0x7..0xc
#
# case: an access of memory, with a rule
# with between: mov (%rdi), %eax
# with rule: .cfi_register rbx, r12
# expect: clean, 8 of 8 reached
    .globl f
    .type f, @function
f:  .cfi_startproc
    push %r12
    .cfi_def_cfa_offset 16
    .cfi_offset r12, -16
    mov %rbx, %r12
    {rule}
    cpuid
    {between}
    xchg %r12, %rbx
    .cfi_restore rbx
    mov (%rdi), %eax
    pop %r12
    .cfi_def_cfa_offset 8
    ret
    .cfi_endproc
    .size f, .-f
