# A handler begins on a stack that a function went to: the kernel's signal frame extends below
# the range assumed for a stack of which only the end is known.
# link: -Ttext=0x400000
# expect: 0 0 entry
# expect: 71 1 call
# expect: 80 2 call
# expect: a0 4 signal
# expect: a2 3 return
# expect: 98 2 resumed
# expect: 7c 1 return
# expect: 70 0 return
# expect: halt at 70, after 38 steps with up to 4 frames
    mov $0x9,%eax
    xor %edi,%edi
    mov $0x10000,%esi
    mov $0x3,%edx
    mov $0x22,%r10d
    mov $0xffffffffffffffff,%r8
    syscall
    lea 0x10000(%rax),%r12
    sub $0x20,%rsp
    lea 0x6e(%rip),%rax
    mov %rax,(%rsp)
    movq $0x4000004,0x8(%rsp)
    lea 0x5c(%rip),%rax
    mov %rax,0x10(%rsp)
    movq $0x0,0x18(%rsp)
    mov $0xd,%eax
    mov $0xa,%edi
    mov %rsp,%rsi
    xor %edx,%edx
    mov $0x8,%r10d
    syscall
    call at_71
    hlt
at_71:
    mov %rsp,%rbx
    mov %r12,%rsp
    call at_80
    mov %rbx,%rsp
    ret
at_80:
    sub $0xe00,%rsp
    mov $0x3e,%eax
    mov $0x1,%edi
    mov $0xa,%esi
    syscall
    add $0xe00,%rsp
    ret
    ret
    nop
    mov $0xf,%eax
    syscall
