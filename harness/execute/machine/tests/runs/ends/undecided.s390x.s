# An illegal instruction, a trap and a system call that is not served end a run with their
# reason and address. The number of a system call may be in the instruction; `stfl` would crash
# the emulator.
# link: -Ttext=0x400000
# show: end
#
# case: illegal
# with code: nopr; .short 0
# expect: illegal-instruction at 2: illegal instruction at 0x400002, after 2 steps with up to 0 frames
#
# case: stfl
# with code: nopr; stfl 0(%r1)
# expect: illegal-instruction at 2: the instruction at 0x400002 is not executed: it would crash the emulator, after 2 steps with up to 0 frames
#
# case: an unknown system call
# with code: lghi %r1, 26; svc 0
# expect: syscall at 4: system call 26 at 0x400004 is not served, after 2 steps with up to 0 frames
#
# case: one that is newer than Linux 3.2 returns ENOSYS
# with code: lghi %r1, 12345; svc 0; lcgr %r2, %r2; svc 1
# expect: exit 38, after 4 steps with up to 0 frames
#
# case: one by the instruction
# with code: svc 31
# expect: syscall at 0: system call 31 at 0x400000 is not served, after 1 steps with up to 0 frames
    {code}
