# An instruction that stores into its own block is one step.
# link: -Ttext=0x400000 -N
# show: every-step
# expect: 0 0 entry
# expect: 4 0
# expect: 8 0
# expect: c 0
# expect: 10 0
# expect: 14 0
# expect: 18 0
# expect: 1c 0
# expect: exit 7, after 8 steps with up to 0 frames
    adr x0, 1f
    ldr w1, [x0]
    str w1, [x0]
    nop
1:  nop
    mov x8, #93
    mov x0, #7
    svc #0
