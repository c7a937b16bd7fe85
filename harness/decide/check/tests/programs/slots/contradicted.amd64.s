# A row that is right in the run by a copy of the caller's FP in the slot, which is an argument, is
# wrong in exploration of the same state: FP is in its register in both. This is listed, and the
# error stands.
# check: explore
# link:
# expect: error, 10 of 10 reached, exited 0
# expect: error eh-frame/fp-matches-truth at 0x40101e..0x40101f
# expect: a run and exploration differ at f+0x8
    .globl _start
_start:
    .cfi_startproc
    .cfi_undefined %rip
    movl $0x12345678, %ebp
    movq %rbp, %rdi
    call f
    movl $60, %eax
    xorl %edi, %edi
    syscall
    .cfi_endproc
    .type f, @function
f:
    .cfi_startproc
    subq $8, %rsp
    .cfi_adjust_cfa_offset 8
    movq %rdi, (%rsp)
    .cfi_offset %rbp, -16
    nop
    .cfi_restore %rbp
    addq $8, %rsp
    .cfi_adjust_cfa_offset -8
    ret
    .cfi_endproc
