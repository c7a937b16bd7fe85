# In a stripped program, the function after a call that never returns is called: nothing else needs
# `bl` to the next instruction.
# link: -Ttext=0x400000
# expect: 0 0 entry
# expect: 4 1 call
# expect: exit 5, after 5 steps with up to 1 frames
    bl at_4
at_4:
    stp x29, x30, [sp, #-16]!
    mov x0, #5
    mov x8, #93
    svc #0
