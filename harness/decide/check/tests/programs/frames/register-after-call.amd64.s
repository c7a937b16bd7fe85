# A callee is seen to overwrite a register that it need not keep: a CFA in that register is wrong
# after the call. One that saves the register first, or another register, may keep the value
# (gcc's `-fipa-ra`).
# check: explore
#
# case: overwritten
# with callee: overwrites
# expect: error, 21 of 21 reached
# expect: error eh-frame/ra-matches-truth at .text+0x28..0x2e
#
# case: saved
# with callee: saves
# expect: clean, 21 of 21 reached
#
# case: another
# with callee: another
# expect: clean, 21 of 21 reached
    .type overwrites, @function
overwrites:
    .cfi_startproc
    jmp 1f
    nop
1:  xor %r10d, %r10d
    ret
    .cfi_endproc
    .size overwrites, .-overwrites
    .type saves, @function
saves:
    .cfi_startproc
    push %r10
    .cfi_def_cfa_offset 16
    xor %r10d, %r10d
    pop %r10
    .cfi_def_cfa_offset 8
    ret
    .cfi_endproc
    .size saves, .-saves
    .type another, @function
another:
    .cfi_startproc
    xor %r11d, %r11d
    ret
    .cfi_endproc
    .size another, .-another
    .globl f
    .type f, @function
f:  .cfi_startproc
    lea 8(%rsp), %r10
    .cfi_def_cfa r10, 0
    cmp $77, %rdi
    je 1f
    ret
1:  sub $8, %rsp
    call {callee}
    nop
    add $8, %rsp
    ret
    .cfi_endproc
    .size f, .-f
    .globl test
    .type test, @function
test:
    .cfi_startproc
    sub $8, %rsp
    .cfi_def_cfa_offset 16
    call f
    add $8, %rsp
    .cfi_def_cfa_offset 8
    ret
    .cfi_endproc
    .size test, .-test
