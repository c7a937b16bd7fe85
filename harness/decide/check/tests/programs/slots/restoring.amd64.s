# A context like that of glibc's setcontext: rdx is a page of the heap, to which the return address of
# outer, SP and rbp as its caller has them are stored. After that the row is relative to rdx.
# link:
# show: functions
#
# case: the context is restored, which is not on the stack
# with code: mov 16(%rdx), %rbp; mov 8(%rdx), %rsp; jmp *(%rdx)
# expect: undecided, exited 0
# expect: undecided abandoned-frame at 0x40101b..0x401056: 1 answers
# expect: undecided leaving-by-longjmp at 0x40101b..0x401056: 2 answers
#
# case: the function returns normally
# with code: mov 16(%rdx), %rax; mov 8(%rdx), %rax; ret
# expect: error, exited 0
# expect: error eh-frame/ra-matches-truth at 0x40104c..0x401055 in _start+0x1b
    .globl _start
_start: .cfi_startproc
    .cfi_undefined rip
    xor %ebp, %ebp
    call outer
    xor %edi, %edi
    mov $60, %eax
    syscall
    .cfi_endproc

outer: .cfi_startproc
    push %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset rbp, -16
    mov %rsp, %rbp
    .cfi_def_cfa_register rbp
    call victim
    pop %rbp
    .cfi_def_cfa rsp, 8
    .cfi_restore rbp
    ret
    .cfi_endproc

victim: .cfi_startproc
    mov $12, %eax
    xor %edi, %edi
    syscall
    mov %rax, %rdx
    lea 4096(%rax), %rdi
    mov $12, %eax
    syscall
    mov 8(%rbp), %rax
    mov %rax, (%rdx)
    lea 16(%rbp), %rcx
    mov %rcx, 8(%rdx)
    mov (%rbp), %rax
    mov %rax, 16(%rdx)
    .cfi_def_cfa rdx, 0
    .cfi_offset rip, 0
    .cfi_offset rsp, 8
    .cfi_offset rbp, 16
    {code}
    .cfi_endproc
