# Rows about another place than the code that they are at. They describe where control lands one
# instruction later, or nothing.
# link:
# show: functions
#
# case: where a throw lands
# with code: mov (%rbp), %rbp
# with lands: mov %rcx, %rsp
# expect: clean, exited 0
#
# case: nothing lands there, and the function returns normally
# with code: mov (%rbp), %rax
# with lands: nopl (%rax)
# expect: error, exited 0
# expect: error eh-frame/cfa-matches-truth at 0x401023..0x401026 in _start+0x1b
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

# The CFA is rcx + 8: the frame of the caller of outer.
victim: .cfi_startproc
    lea 8(%rbp), %rcx
    {code}
    .cfi_def_cfa rcx, 8
    {lands}
    .cfi_def_cfa rsp, 8
    ret
    .cfi_endproc
