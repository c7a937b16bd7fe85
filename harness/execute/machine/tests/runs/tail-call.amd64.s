# A tail call keeps the frame.
# link: -Ttext=0x400000
# show: frames
# expect: 0 0 entry
# expect: 6 1 call: ra +5, cfa sp+0, fp 0x0
# expect: 11 1 jump
# expect: 5 0 return
# expect: halt at 5, after 6 steps with up to 1 frames
    call at_6
    hlt
at_6:
    sub $0x8,%rsp
    add $0x8,%rsp
    jmp at_11
    hlt
at_11:
    ret
