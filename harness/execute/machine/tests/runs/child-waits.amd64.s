# A child waits for what its maker writes, and that waits for its end: the child reads a byte
# from a pipe and ends with it and 40; the other writes the number of the child to it, and ends
# with its status.
# link: -Ttext=0x400000 -Tbss=0x600000
# expect: 0 0 entry
# expect: 15 0 in thread 2
# expect: 42 0 jump in thread 2
# expect: 15 0
# expect: 48 0 in thread 2
# expect: 3d 0
# expect: 4d 0 jump
# expect: exit 42, after 35 steps with up to 0 frames
    mov $0x600800,%ebx
    mov %ebx,%edi
    mov $22,%eax
    syscall
    mov $57,%eax
    syscall
    lea 8(%rbx),%rsi
    mov $1,%edx
    test %eax,%eax
    je at_42
    mov %eax,(%rsi)
    mov 4(%rbx),%edi
    mov $1,%eax
    syscall
    push $-1
    pop %rdi
    xor %edx,%edx
    xor %r10d,%r10d
    mov $61,%eax
    syscall
    mov 9(%rbx),%edi
    jmp at_4d
at_42:
    mov (%rbx),%edi
    xor %eax,%eax
    syscall
    mov (%rsi),%edi
    add $40,%edi
at_4d:
    mov $231,%eax
    syscall
    .bss
    .skip 0x1000
