# Single answers decide the verdict: two about a frame on a stack that is not followed.
# check: execute
# link:
# expect: undecided, exited 0
# expect: undecided other-stack at 0x40100e..0x40101d: 2 answers
    .globl _start
_start: .cfi_startproc
    .cfi_undefined rip
    call f
    mov $60, %eax
    xor %edi, %edi
    syscall
    .cfi_endproc
    .type f, @function
f:  .cfi_startproc
    mov %rsp,%rax
    lea 1f(%rip),%rsp
    nop
    mov %rax,%rsp
    ret
    .bss
    .skip 64
1:
    .text
    .cfi_endproc
    .size f, .-f
