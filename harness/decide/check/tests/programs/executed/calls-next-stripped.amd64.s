# In a stripped program, a function before its callee falls into it at its second activation.
# check: execute
# link: -s
#
# case: right
# with offset: 16
# expect: clean, exited 0
#
# case: wrong
# with offset: 24
# expect: error, exited 0
# expect: error eh-frame/cfa-matches-truth at 0x401018..0x401019
    .globl _start
_start:
    .cfi_startproc
    .cfi_undefined rip
    call f
    mov $60, %eax
    xor %edi, %edi
    syscall
    .cfi_endproc
f:
    .cfi_startproc
    xor %ebx, %ebx
    call g
    .cfi_endproc
g:
    .cfi_startproc
    inc %ebx
    push %rcx
    .cfi_def_cfa_offset {offset}
    pop %rcx
    .cfi_def_cfa_offset 8
    ret
    .cfi_endproc
