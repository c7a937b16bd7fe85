# A longjmp to the caller lands at an earlier call.
# link: -Ttext=0x400000
# expect: 0 0 entry
# expect: 11 1 call
# expect: 7 0 return
# expect: 12 1 call
# expect: 7 0 unwound
# expect: 10 0 jump
# expect: halt at 10, after 12 steps with up to 1 frames
    xor %ebx,%ebx
    call at_11
at_7:
    test %ebx,%ebx
    jne at_10
    call at_12
at_10:
    hlt
at_11:
    ret
at_12:
    inc %ebx
    pop %rcx
    jmp at_7
