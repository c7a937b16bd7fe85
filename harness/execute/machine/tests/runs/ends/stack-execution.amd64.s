# The stack is executed only if the program requests that: a program writes `mov $7, %edi; ret` to
# its stack and calls it, as a trampoline is called.
# show: end
#
# case: not requested
# link: -Ttext=0x400000 -z noexecstack
# expect: fault at b: cannot execute 1 bytes at 0x3ffeffffe58 (not permitted); the instruction is at 0x40000b, after 3 steps with up to 0 frames
#
# case: requested
# link: -Ttext=0x400000 -z execstack
# expect: exit 7, after 7 steps with up to 1 frames
    movabs $0xc300000007bf, %rax
    push %rax
    call *%rsp
    mov $60, %eax
    syscall
