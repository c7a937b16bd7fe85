# Code that is written over is executed as it is then: `mov $1, %eax; ret` is written into the first
# of 32 MiB and called; a byte into each MiB makes the emulator discard its address cache of the
# first; then `movb $2` goes into the constant, and the program exits with what a second call
# returns.
# link: -Ttext=0x400000
# show: end
# expect: exit 2, after 153 steps with up to 1 frames
    xor %edi, %edi
    mov $0x2000000, %esi
    mov $3, %edx
    mov $0x22, %r10d
    mov $0xffffffff, %r8d
    xor %r9d, %r9d
    mov $9, %eax # mmap
    syscall
    mov %rax, %rbx
    movabs $0xc300000001b8, %rax
    mov %rax, (%rbx)
    mov %rbx, %rdi
    mov $0x1000, %esi
    mov $7, %edx
    mov $10, %eax # mprotect
    syscall
    call *%rbx
    mov %rbx, %rcx
    mov $31, %edx
1:  add $0x100000, %rcx
    movb $1, (%rcx)
    dec %edx
    jne 1b
    movb $0, 0x100(%rbx)
    movb $2, 1(%rbx)
    call *%rbx
    mov %eax, %edi
    mov $60, %eax
    syscall
