# Recursion: SP distinguishes the activations.
# link: -Ttext=0x400000
# also: aarch64be
# expect: 0 0 entry
# expect: 10 1 call
# expect: 10 2 call
# expect: 24 2 jump
# expect: 20 1 return
# expect: 8 0 return
# expect: exit 0, after 13 steps with up to 2 frames
    movz w0, #0x2
    bl at_10
    movz x8, #0x5d
    svc #0x0
at_10:
    subs w0, w0, #0x1
    b.eq at_24
    str x30, [sp, #-16]!
    bl at_10
    ldr x30, [sp], #16
at_24:
    ret
