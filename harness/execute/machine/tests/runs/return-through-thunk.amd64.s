# A return through a thunk that calls is one return: the function ends in a jump to a thunk,
# which calls code that drops the return address of that call, as Linux's `srso_return_thunk`
# and `srso_safe_ret`.
# link: -Ttext=0x400000
# expect: 0 0 entry
# expect: 6 1 call
# expect: a 1 jump
# expect: 11 1 jump
# expect: 5 0 return
# expect: halt at 5, after 6 steps with up to 1 frames
    call at_6
    hlt
at_6:
    jmp at_a
at_8:
    jmp at_8
at_a:
    call at_11
    ud2
at_11:
    lea 0x8(%rsp),%rsp
    ret
