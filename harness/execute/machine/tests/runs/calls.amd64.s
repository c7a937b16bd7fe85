# Calls push a frame and returns pop it; `push %rbp` and the return address lie below the outer
# CFA.
# link: -Ttext=0x400000
# show: frames
# expect: 0 0 entry
# expect: 6 1 call: ra +5, cfa sp+0, fp 0x0
# expect: 15 2 call: ra +13, cfa sp-16, fp sp-16
# expect: 13 1 return: ra +5, cfa sp+0, fp 0x0
# expect: 5 0 return
# expect: halt at 5, after 9 steps with up to 2 frames
    call at_6
    hlt
at_6:
    push %rbp
    mov %rsp,%rbp
    lea at_15(%rip),%rax
    call *%rax
    pop %rbp
    ret
at_15:
    ret
