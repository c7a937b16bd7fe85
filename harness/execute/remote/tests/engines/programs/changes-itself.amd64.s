# Changes executed code into a system call, and reads properties that differ between processors.
    .globl _start
_start:
    xor %ebx,%ebx
again:
    mov $39,%eax
place:
    nop
    nop
    nop
    inc %ebx
    movw $0x050f,place(%rip)
    cmp $3,%ebx
    jb again
    str %ecx
    smsw %edx
    sldt %r9d
    rdrand %rsi
    rdseed %r10
    mov $60,%eax
    xor %edi,%edi
    syscall
