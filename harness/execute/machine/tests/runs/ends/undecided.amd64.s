# An illegal instruction, a trap and a system call that is not served end a run with their
# reason and address.
# link: -Ttext=0x400000
# show: end
#
# case: ud2
# with code: nop; ud2
# expect: illegal-instruction at 1: illegal instruction ud2 at 0x400001, after 2 steps with up to 0 frames
#
# case: a byte that 64-bit mode does not define
# with code: nop; .byte 6
# expect: illegal-instruction at 1: illegal instruction at 0x400001, after 2 steps with up to 0 frames
#
# case: int3
# with code: nop; int3
# expect: trap at 1: breakpoint at 0x400001; the program counter is 0x400002, after 2 steps with up to 0 frames
#
# case: int $0x80
# with code: nop; int $0x80
# expect: trap at 1: 32-bit system call at 0x400001; the program counter is 0x400003, after 2 steps with up to 0 frames
#
# case: an unknown system call
# with code: mov $101, %eax; syscall
# expect: syscall at 5: system call 101 at 0x400005 is not served, after 2 steps with up to 0 frames
#
# case: one that is newer than Linux 3.2 returns ENOSYS
# with code: mov $12345, %eax; syscall; mov %eax, %edi; neg %edi; mov $60, %eax; syscall
# expect: exit 38, after 6 steps with up to 0 frames
#
# case: a division by zero
# with code: xor %ecx, %ecx; div %ecx
# expect: fault at 2: divide error at 0x400002; the program counter is 0x400002, after 2 steps with up to 0 frames
#
# case: hlt, after an instruction that the emulator executes
# with code: andn %eax, %ecx, %edx; hlt
# expect: halt at 5, after 2 steps with up to 0 frames
    {code}
