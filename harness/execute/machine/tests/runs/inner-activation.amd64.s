# An inner activation that jumps after its call does not return.
# link: -Ttext=0x400000
# expect: 0 0 entry
# expect: 6 1 call
# expect: 6 2 call
# expect: 13 2 jump
# expect: 12 2 jump
# expect: 12 1 return
# expect: 5 0 return
# expect: halt at 5, after 12 steps with up to 2 frames
    call at_6
    hlt
at_6:
    inc %edx
    cmp $0x1,%edx
    jne at_13
    call at_6
at_12:
    ret
at_13:
    jmp at_12
