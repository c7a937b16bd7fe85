# A call of a thunk is no call.
# link: -Ttext=0x400000
# expect: 0 0 entry
# expect: 6 1 call
# expect: f 1 jump
# expect: 22 1 jump
# expect: 5 0 return
# expect: halt at 5, after 10 steps with up to 1 frames
    call at_6
    hlt
at_6:
    call at_f
at_b:
    pause
    jmp at_b
at_f:
    lea 0x8(%rsp),%rsp
    lea at_28(%rip),%rax
    call at_22
at_20:
    jmp at_20
at_22:
    nop
    mov %rax,(%rsp)
    ret
at_28:
    ret
