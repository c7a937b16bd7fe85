# Exits with 0 where `enter` lowers RSP, with 1 where it raises it.
    .globl _start
_start:
    mov %rsp,%rbx
    enter $0xff60,$0
    mov %rbp,%rdi
    sub %rsp,%rdi
    shr $63,%rdi
    mov $60,%eax
    syscall
