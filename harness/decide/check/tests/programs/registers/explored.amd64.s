# Exploration shows the place of each register that a call preserves: each enters with a value of its
# own. The row after a pop may still name the slot in the red zone.
# check: explore
#
# case: right
# with rbx: .cfi_offset rbx, -16
# with early:
# with r12: .cfi_offset r12, -24
# with restored:
# with last:
# expect: clean, 10 of 10 reached
#
# case: rbx and r12 swapped
# with rbx: .cfi_offset rbx, -24
# with early:
# with r12: .cfi_offset r12, -16
# with restored:
# with last:
# expect: error, 10 of 10 reached
# expect: error eh-frame/register-matches-truth at .text+0x1..0x1a
#
# case: no rule for rbx
# with rbx:
# with early:
# with r12: .cfi_offset r12, -24
# with restored:
# with last:
# expect: error, 10 of 10 reached
# expect: error eh-frame/register-matches-truth at .text+0xc..0x19
#
# case: a rule before the save
# with rbx: .cfi_offset rbx, -16
# with early: .cfi_offset r12, -24
# with r12:
# with restored:
# with last:
# expect: error, 10 of 10 reached
# expect: error eh-frame/register-matches-truth at .text+0x1..0x4
#
# case: restored in the table before the code does
# with rbx: .cfi_offset rbx, -16
# with early:
# with r12: .cfi_offset r12, -24
# with restored: .cfi_restore rbx
# with last:
# expect: error, 10 of 10 reached
# expect: error eh-frame/register-matches-truth at .text+0x15..0x19
#
# case: a rule after the slot is gone
# with rbx: .cfi_offset rbx, -16
# with early:
# with r12: .cfi_offset r12, -24
# with restored:
# with last: .cfi_offset r12, -32
# expect: error, 10 of 10 reached
# expect: error eh-frame/register-matches-truth at .text+0x19..0x1a
    .globl f
    .type f, @function
f:  .cfi_startproc
    push %rbx
    .cfi_def_cfa_offset 16
    {rbx}
    {early}
    nop
    push %r12
    .cfi_def_cfa_offset 24
    {r12}
    test %rdi, %rdi
    je 1f
    mov %rdi, %rbx
    lea (%rbx,%rsi), %r12
    lea (%r12,%rbx), %rax
1:  nop
    {restored}
    nop
    pop %r12
    .cfi_def_cfa_offset 16
    pop %rbx
    .cfi_def_cfa_offset 8
    {last}
    ret
    .cfi_endproc
    .size f, .-f
