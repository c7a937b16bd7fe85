# Mapped memory is used, written from and gone when unmapped.
# link: -Ttext=0x400000
# expect: 0 0 entry
# expect: fault at 4c: cannot read 4 bytes at 0x1fffffff000 (not mapped); the instruction is at 0x40004c, after 19 steps with up to 0 frames
# expect: 11 bytes written
    mov $0x9,%eax # mmap
    xor %edi,%edi
    mov $0x1000,%esi
    mov $0x3,%edx
    mov $0x22,%r10d
    mov $0xffffffffffffffff,%r8
    syscall
    mov %rax,%rbx
    movl $0x7,(%rbx)
    mov $0x1,%eax # write
    mov $0x1,%edi
    mov %rbx,%rsi
    mov $0xb,%edx
    syscall
    mov $0xb,%eax # munmap
    mov %rbx,%rdi
    mov $0x1000,%esi
    syscall
    mov (%rbx),%ecx
