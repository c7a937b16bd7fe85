# Sets a register of 256 bits, has a signal handler clear it, and has XRSTOR load it again. The
# status is 1 if XGETBV has no AVX, 2 if the handler's return has not restored the register, 3
# if XRSTOR has not.
    xor %ecx,%ecx
    xgetbv
    mov $0x1,%edi
    cmp $0x7,%eax
    jne at_a5
    vpcmpeqb %ymm0,%ymm0,%ymm0
    lea at_b1(%rip),%rax
    push $0x0
    push %rax
    mov $0x4000000,%eax
    push %rax
    lea at_ac(%rip),%rax
    push %rax
    mov $0xa,%edi
    mov %rsp,%rsi
    xor %edx,%edx
    mov $0x8,%r10d
    mov $0xd,%eax
    syscall
    mov $0x27,%eax
    syscall
    mov %eax,%edi
    mov $0xa,%esi
    mov $0x3e,%eax
    syscall
    mov $0x2,%edi
    vpmovmskb %ymm0,%eax
    inc %eax
    jne at_a5
    sub $0x800,%rsp
    and $0xffffffffffffffc0,%rsp
    mov $0x8,%ecx
    lea 0x200(%rsp),%rdi
    
    rep stos %rax,%es:(%rdi)
    mov $0x3,%edi
    or $0xffffffff,%eax
    cltd
    xsavec (%rsp)
    vpxor %ymm0,%ymm0,%ymm0
    or $0xffffffff,%eax
    xrstor (%rsp)
    vpmovmskb %ymm0,%eax
    inc %eax
    jne at_a5
    xor %edi,%edi
at_a5:
    mov $0x3c,%eax
    syscall
at_ac:
    vpxor %ymm0,%ymm0,%ymm0
    ret
at_b1:
    mov $0xf,%eax
    syscall
