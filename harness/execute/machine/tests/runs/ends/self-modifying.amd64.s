# An instruction that stores into its own block is one step.
# link: -Ttext=0x400000 -N
# show: every-step
# expect: 0 0 entry
# expect: 5 0
# expect: 5 0
# expect: 5 0
# expect: 7 0
# expect: e 0
# expect: 15 0
# expect: 16 0
# expect: 17 0
# expect: 1c 0
# expect: 21 0
# expect: exit 7, after 11 steps with up to 0 frames
    mov $3, %ecx
    loop . # comes back to itself, which is a step each time
    mov 8(%rip), %rax
    mov %rax, 1(%rip)
    nop
    nop
    mov $60, %eax
    mov $7, %edi
    syscall
