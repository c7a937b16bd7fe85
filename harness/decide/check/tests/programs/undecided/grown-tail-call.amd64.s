# A callee with a moved return address is undecided, and what else is wrong in it is found: a
# tail call with more arguments moves it down, and the callee pops them. Its entry looks like a
# call, so no row of it is wrong about the SP of its caller's caller. The jump may go to the
# next instruction.
# check: execute
# link:
#
# case: apart
# with pad: nop
# with offset: 16
# expect: undecided, exited 0
# expect: undecided lowered-stack at 0x401023..0x401028: 3 answers
#
# case: apart, wrong
# with pad: nop
# with offset: 24
# expect: error, exited 0
# expect: error eh-frame/cfa-matches-truth at 0x401024..0x401025
# expect: undecided lowered-stack at 0x401023..0x401028: 2 answers
#
# case: next
# with pad: jmp callee; nop; .cfi_endproc; last: .cfi_startproc
# with offset: 16
# expect: undecided, exited 0
# expect: undecided lowered-stack at 0x401025..0x40102a: 3 answers
#
# case: next, wrong
# with pad: jmp callee; nop; .cfi_endproc; last: .cfi_startproc
# with offset: 24
# expect: error, exited 0
# expect: error eh-frame/cfa-matches-truth at 0x401026..0x401027
# expect: undecided lowered-stack at 0x401025..0x40102a: 2 answers
    .globl _start
_start: .cfi_startproc
    .cfi_undefined rip
    call grow
    xor %edi, %edi
    mov $60, %eax
    syscall
    .cfi_endproc
grow: .cfi_startproc
    sub $16, %rsp
    .cfi_adjust_cfa_offset 16
    mov 16(%rsp), %rcx
    .cfi_register rip, rcx
    mov %rdi, 16(%rsp)
    mov %rcx, (%rsp)
    .cfi_offset rip, -24
    {pad}
    jmp callee
    .cfi_endproc
    .size grow, .-grow
    .type callee, @function
callee: .cfi_startproc
    push %rbx
    .cfi_def_cfa_offset {offset}
    pop %rbx
    .cfi_def_cfa_offset 8
    ret $16
    .cfi_endproc
    .size callee, .-callee
