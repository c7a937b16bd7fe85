# Accesses and jumps to addresses that are not canonical send the signals of Linux 6 on an AMD EPYC.
# Before the instruction RBX and RBP are 1 << 63, a word of the stack too, RSP is in R14 and the
# address of the instruction in R13. The handler of SIGSEGV and SIGBUS ends the program with the
# exception's number (13 protection, 12 stack, 14 page), and 16 if `si_code` is SI_KERNEL, 32 if the
# saved RIP is R13, 64 if the signal is SIGBUS, 128 if the saved RSP is R14.
# link: -Ttext=0x400000
# show: end
#
# case: load
# with code: mov (%rbx), %rax
# expect: exit 189, after 46 steps with up to 2 frames
#
# case: store by the frame pointer
# with code: mov %rax, (%rbp)
# expect: exit 252, after 46 steps with up to 2 frames
#
# case: load by fs
# with code: mov %fs:(%rbp), %rax
# expect: exit 189, after 46 steps with up to 2 frames
#
# case: jmp
# with code: jmp *%rbx
# expect: exit 189, after 46 steps with up to 2 frames
#
# case: call
# with code: call *%rbx
# expect: exit 189, after 46 steps with up to 2 frames
#
# case: ret
# with code: ret
# expect: exit 189, after 46 steps with up to 2 frames
#
# case: push
# with code: push (%rbx)
# expect: exit 189, after 46 steps with up to 2 frames
#
# case: leave
# with code: leave
# expect: exit 252, after 46 steps with up to 2 frames
#
# case: lock inc
# with code: lock incq (%rbp)
# expect: exit 252, after 46 steps with up to 2 frames
#
# case: fxsave
# with code: fxsave (%rbx)
# expect: exit 189, after 46 steps with up to 2 frames
#
# case: load over the edge
# with code: movabs $0x7ffffffffffd, %rbx; mov (%rbx), %rax
# expect: exit 157, after 47 steps with up to 2 frames
#
# case: jmp to a canonical address
# with code: mov $0x70000000, %ebx; jmp *%rbx
# expect: exit 142, after 47 steps with up to 2 frames
    jmp 1f
handler:
    movzbl 0xc8(%rdx), %eax # gregs[REG_TRAPNO]
    cmpl $0x80, 8(%rsi)
    sete %cl
    movzbl %cl, %ecx
    shl $4, %ecx
    or %ecx, %eax
    cmp %r13, 0xa8(%rdx)
    sete %cl
    movzbl %cl, %ecx
    shl $5, %ecx
    or %ecx, %eax
    cmp $7, %edi
    sete %cl
    movzbl %cl, %ecx
    shl $6, %ecx
    or %ecx, %eax
    cmp %r14, 0xa0(%rdx)
    sete %cl
    movzbl %cl, %ecx
    shl $7, %ecx
    or %ecx, %eax
    xchg %eax, %edi
    mov $60, %eax
    syscall
1:  push $0
    push %rax
    mov $0x4000004, %eax
    push %rax
    lea handler(%rip), %rax
    push %rax
    mov %rsp, %rsi
    mov $8, %r10d
    mov $11, %edi
    mov $13, %eax # rt_sigaction
    syscall
    mov $7, %edi
    mov $13, %eax
    syscall
    mov $1, %ebx
    ror %rbx
    mov %rbx, %rbp
    push %rbx
    mov %rsp, %r14
    lea 0(%rip), %r13
    {code}
