# A handler reads the upper half of YMM0 in its frame, an XSAVE area, and changes it and that of
# YMM3; the status is their sum after it, as on a processor.
    jmp at_57
at_2:
    mov 0xe0(%rdx),%rax
    cmpl $0x46505853,0x1d0(%rax)
    
    jne at_44
    testb $0x1,(%rdx)
    je at_44
    cmpl $0xffffffff,0x240(%rax)
    jne at_44
    cmpl $0x46505845,0x340(%rax)
    
    jne at_44
    movl $0x55,0x240(%rax)
    
    movl $0x66,0x270(%rax)
    
    ret
at_44:
    mov $0x1,%edi
    mov $0x3c,%eax
    syscall
at_50:
    mov $0xf,%eax
    syscall
at_57:
    vpcmpeqd %ymm0,%ymm0,%ymm0
    push $0x0
    lea at_50(%rip),%rax
    push %rax
    mov $0x4000004,%eax
    push %rax
    lea at_2(%rip),%rax
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
    vextracti128 $0x1,%ymm0,%xmm1
    vmovd %xmm1,%edi
    vextracti128 $0x1,%ymm3,%xmm1
    vmovd %xmm1,%eax
    add %eax,%edi
    mov $0x3c,%eax
    syscall
