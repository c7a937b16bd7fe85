# A loop may begin where a call returned.
# link: -Ttext=0x400000
# expect: 0 0 entry
# expect: f 1 call
# expect: a 0 return
# expect: a 0 jump
# expect: halt at e, after 8 steps with up to 1 frames
    mov $0x2,%ecx
    call at_f
at_a:
    dec %ecx
    jne at_a
    hlt
at_f:
    ret
