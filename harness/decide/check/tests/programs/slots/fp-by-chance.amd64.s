# A row that counts the CFA from FP after FP was restored is right in the run, since the caller's FP happens to
# be the function's own; exploration shows that it is wrong. FP differs in the states: no contradiction.
# check: explore
# link:
# expect: error, 9 of 9 reached, exited 0
# expect: error eh-frame/cfa-matches-truth at 0x401019..0x40101a
    .globl _start
    .type _start, @function
_start: .cfi_startproc
    .cfi_undefined %rip
    leaq -16(%rsp), %rbp
    call f
    movl $60, %eax
    xorl %edi, %edi
    syscall
    .cfi_endproc
    .size _start, . - _start
    .type f, @function
f:  .cfi_startproc
    pushq %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset %rbp, -16
    movq %rsp, %rbp
    .cfi_def_cfa_register %rbp
    nop
    popq %rbp
    nop
    .cfi_def_cfa %rsp, 8
    ret
    .cfi_endproc
    .size f, . - f
