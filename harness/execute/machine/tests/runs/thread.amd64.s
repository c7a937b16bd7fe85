# A thread executes with frames of its own, on its own stack: the first one clones it, waits
# until the word is not 0, and until the number of the thread is cleared, and ends with both;
# the thread calls f, wakes the other, and ends. The status is 40 and 2.
# link: -Ttext=0x400000
# show: frames
# expect: 0 0 entry
# expect: 2f 0 entry in thread 2
# expect: 76 0 jump in thread 2
# expect: 98 1 call in thread 2: ra +7b, cfa sp-16384, fp 0x0
# expect: 7b 0 return in thread 2
# expect: 44 0
# expect: 68 0 jump
# expect: exit 42, after 41 steps with up to 1 frames
    lea -0x100(%rsp),%r12
    
    mov $0x38,%eax
    mov $0x310f00,%edi
    lea -0x4000(%rsp),%rsi
    
    lea 0x8(%r12),%rdx
    lea 0x10(%r12),%r10
    movl $0x1,0x10(%r12)
    
    syscall
    test %eax,%eax
    je thread
at_33:
    mov $0xca,%eax
    mov %r12,%rdi
    xor %esi,%esi
    xor %edx,%edx
    xor %r10d,%r10d
    syscall
    mov (%r12),%ebx
    test %ebx,%ebx
    je at_33
at_4c:
    mov 0x10(%r12),%edx
    test %edx,%edx
    je at_68
    mov $0xca,%eax
    lea 0x10(%r12),%rdi
    xor %esi,%esi
    xor %r10d,%r10d
    syscall
    jmp at_4c
at_68:
    mov $0xe7,%eax
    mov %ebx,%edi
    add 0x8(%r12),%edi
    syscall
thread:
    call f
    mov $0xca,%eax
    mov %r12,%rdi
    mov $0x1,%esi
    mov $0x1,%edx
    syscall
    mov $0x3c,%eax
    xor %edi,%edi
    syscall
f:
    push %rbp
    movl $0x28,(%r12)
    
    pop %rbp
    ret
