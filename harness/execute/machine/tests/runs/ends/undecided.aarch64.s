# An illegal instruction, a trap and a system call that is not served end a run with their
# reason and address.
# link: -Ttext=0x400000
# also: aarch64be
# show: end
#
# case: udf
# with code: nop; udf #0
# expect: illegal-instruction at 4: illegal instruction udf at 0x400004, after 2 steps with up to 0 frames
#
# case: brk
# with code: nop; brk #1
# expect: trap at 4: breakpoint at 0x400004; the program counter is 0x400004, after 2 steps with up to 0 frames
#
# case: an unknown system call
# with code: mov x8, #117; svc #0
# expect: syscall at 4: system call 117 at 0x400004 is not served, after 2 steps with up to 0 frames
#
# case: one that is newer than Linux 3.2 returns ENOSYS
# with code: mov x8, #12345; svc #0; neg x0, x0; mov x8, #93; svc #0
# expect: exit 38, after 5 steps with up to 0 frames
    {code}
