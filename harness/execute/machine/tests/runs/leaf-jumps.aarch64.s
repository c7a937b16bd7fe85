# Jumps of a leaf that uses no stack end nothing.
# link: -Ttext=0x400000
# also: aarch64be
# expect: 0 0 entry
# expect: 14 1 call
# expect: 8 0 return
# expect: 18 1 call
# expect: 18 1 jump
# expect: c 0 return
# expect: exit 0, after 11 steps with up to 1 frames
    movz w1, #0x2
    bl at_14
    bl at_18
    movz x8, #0x5d
    svc #0x0
at_14:
    ret
at_18:
    subs w1, w1, #0x1
    b.ne at_18
    ret
