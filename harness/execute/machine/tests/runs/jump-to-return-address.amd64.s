# A function may hold its return address in a register, and jump to it.
# link: -Ttext=0x400000
# expect: 0 0 entry
# expect: 6 1 call
# expect: 5 0 return
# expect: halt at 5, after 4 steps with up to 1 frames
    call at_6
    hlt
at_6:
    pop %rdi
    jmp *%rdi
