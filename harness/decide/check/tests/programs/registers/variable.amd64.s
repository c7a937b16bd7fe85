# A variable in a register that a call preserves (`register long k asm("r12")`): no row has a rule for it
# and a function returns with another value, so that code which keeps its value is undecided. Without such
# a function, or with a rule somewhere, a register that is saved and restored without a rule is an error.
# check: explore
#
# case: a function sets the variable
# with sets: movq %rdi, %r12
# with rule:
# expect: undecided, 14 of 14 reached
# expect: undecided own-entry-convention at .text+0x9..0x26: 2 answers
#
# case: no function sets it
# with sets: nop
# with rule:
# expect: error, 13 of 13 reached
# expect: error eh-frame/register-matches-truth at .text+0x14..0x1e
#
# case: a function sets it, and another has a rule for the register
# with sets: movq %rdi, %r12
# with rule: .cfi_offset %r12, -16
# expect: error, 14 of 14 reached
# expect: error eh-frame/register-matches-truth at .text+0x16..0x20
    .globl sets
    .type sets, @function
sets: .cfi_startproc
    {sets}
    ret
    .cfi_endproc
    .size sets, . - sets
    .globl saves
    .type saves, @function
saves: .cfi_startproc
    pushq %r12
    .cfi_def_cfa_offset 16
    {rule}
    popq %r12
    .cfi_def_cfa_offset 8
    ret
    .cfi_endproc
    .size saves, . - saves
    .globl keeps
    .type keeps, @function
keeps: .cfi_startproc
    pushq %rbx
    .cfi_def_cfa_offset 16
    .cfi_offset %rbx, -16
    subq $16, %rsp
    .cfi_def_cfa_offset 32
    movq %r12, 8(%rsp)
    movq %rdi, %r12
    call g
    movq 8(%rsp), %r12
    addq $16, %rsp
    .cfi_def_cfa_offset 16
    popq %rbx
    .cfi_def_cfa_offset 8
    ret
    .cfi_endproc
    .size keeps, . - keeps
