# A stack that is unmapped is not read.
# link: -Ttext=0x400000
# expect: 0 0 entry
# expect: fault at 37: cannot write 8 bytes at 0x1fffffffff0 (not mapped); the instruction is at 0x400037, after 14 steps with up to 0 frames
    mov $0x9,%eax # mmap
    xor %edi,%edi
    mov $0x1000,%esi
    mov $0x3,%edx
    mov $0x22,%r10d
    mov $0xffffffffffffffff,%r8
    syscall
    lea 0xff8(%rax),%rsp
    mov %rax,%rdi
    mov $0xb,%eax # munmap
    mov $0x1000,%esi
    syscall
    nop
    push %rax
