# Callers on a stack that is not followed are undecided: control goes to the middle of a
# function on another stack, and what called it there is not known; what it calls is.
# check: execute
# link:
# show: steps
# expect: undecided, exited 0, 7 of 11 steps judged
# expect: undecided other-stack at 0x401005..0x401024: 6 answers
    .lcomm stack,4096
    .globl _start
    .type _start,@function
_start:
    .cfi_startproc
    .cfi_undefined rip
    call f
    .cfi_endproc
    .size _start,.-_start
    .type f,@function
f:
    .cfi_startproc
    lea stack+4096(%rip),%rsp
    lea 1f(%rip),%rax
    jmp *%rax
    nop
1:  call g
    mov $60,%eax
    xor %edi,%edi
    syscall
    .cfi_endproc
    .size f,.-f
    .type g,@function
g:
    .cfi_startproc
    nop
    nop
    ret
    .cfi_endproc
    .size g,.-g
