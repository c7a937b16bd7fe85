# A call of the next instruction is no call.
# link: -Ttext=0x400000
# expect: 0 0 entry
# expect: halt at 6, after 3 steps with up to 0 frames
    call at_5
at_5:
    pop %rax
    hlt
