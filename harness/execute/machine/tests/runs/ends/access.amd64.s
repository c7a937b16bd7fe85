# An access to memory that is not mapped, or not in this way, is a fault with its address,
# whatever instruction makes it; the emulator checks some stores by the permission of the page
# alone.
# link: -Ttext=0x400000 -Tbss=0x600000
# show: end
#
# case: read
# with code: nop; movabs 0x123456789, %eax
# expect: fault at 1: cannot read 4 bytes at 0x123456789 (not mapped); the instruction is at 0x400001, after 2 steps with up to 0 frames
#
# case: jump
# with code: mov $0x7000000, %eax; jmp *%rax
# expect: fault at 5: cannot execute 1 bytes at 0x7000000 (not mapped); the instruction is at 0x400005, after 2 steps with up to 0 frames
#
# case: write to code
# with code: nop; mov %eax, 0x400000
# expect: fault at 1: cannot write 4 bytes at 0x400000 (not permitted); the instruction is at 0x400001, after 2 steps with up to 0 frames
#
# case: lock xadd of code
# with code: lea 0f(%rip), %rax; 0: lock xadd %rcx, (%rax)
# expect: fault at 7: cannot write 8 bytes at 0x400007 (not permitted); the instruction is at 0x400007, after 2 steps with up to 0 frames
#
# case: lock cmpxchg16b of code
# with code: lea 0f(%rip), %rax; 0: lock cmpxchg16b (%rax)
# expect: fault at 7: general protection fault at 0x400007; the program counter is 0x400007, after 2 steps with up to 0 frames
#
# case: execution of data
# with code: mov $0x600000, %eax; jmp *%rax
# expect: fault at 5: cannot execute 1 bytes at 0x600000 (not permitted); the instruction is at 0x400005, after 2 steps with up to 0 frames
#
# case: an x87 store, which a helper does
# with code: fld1; fstpt 8; nop
# expect: fault at 2: cannot write 8 bytes at 0x8 (not mapped); the instruction is at 0x400002, after 2 steps with up to 0 frames
    {code}
    .bss
    .skip 0x1000
