# Recursion: SP distinguishes the activations.
# link: -Ttext=0x400000
# expect: 0 0 entry
# expect: b 1 call
# expect: b 2 call
# expect: b 3 call
# expect: 14 3 jump
# expect: 14 2 return
# expect: 14 1 return
# expect: a 0 return
# expect: halt at a, after 14 steps with up to 3 frames
    mov $0x3,%edi
    call at_b
    hlt
at_b:
    dec %edi
    je at_14
    call at_b
at_14:
    ret
