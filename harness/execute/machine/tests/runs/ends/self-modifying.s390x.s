# An instruction that stores into its own block is one step.
# link: -Ttext=0x400000 -N
# show: every-step
# expect: 0 0 entry
# expect: 6 0
# expect: c 0
# expect: e 0
# expect: 10 0
# expect: 14 0
# expect: exit 7, after 6 steps with up to 0 frames
    larl %r1, 1f
    mvc 0(2,%r1), 0(%r1)
    lr %r0, %r0
1:  lr %r0, %r0
    lghi %r2, 7
    svc 1
