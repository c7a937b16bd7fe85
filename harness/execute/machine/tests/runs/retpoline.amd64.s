# A call of a retpoline begins the frame where the retpoline goes, if the retpoline is a part of
# the calling function by its symbol; without a symbol, or with one of its own, it is a function
# (gcc's `-mindirect-branch=thunk-inline`).
# link: -Ttext=0x400000
#
# case: a part of the caller
# function: 0 1f
# expect: 0 0 entry
# expect: 17 0 jump
# expect: 9 0 jump
# expect: 12 0 jump
# expect: 1f 1 call
# expect: 1c 0 return
# expect: halt at 1e, after 10 steps with up to 1 frames
#
# case: without a symbol
# expect: 0 0 entry
# expect: 17 0 jump
# expect: 9 1 call
# expect: 12 1 jump
# expect: 1f 1 jump
# expect: 1c 0 return
# expect: halt at 1e, after 10 steps with up to 1 frames
#
# case: a function
# function: 9 17
# expect: 0 0 entry
# expect: 17 0 jump
# expect: 9 1 call
# expect: 12 1 jump
# expect: 1f 1 jump
# expect: 1c 0 return
# expect: halt at 1e, after 10 steps with up to 1 frames
    lea at_1f(%rip),%rax
    jmp at_17
at_9:
    call at_12
at_e:
    pause
    jmp at_e
at_12:
    mov %rax,(%rsp)
    ret
at_17:
    call at_9
    nop
    nop
    hlt
at_1f:
    ret
