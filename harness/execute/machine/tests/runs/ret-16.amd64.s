# A return may pop arguments.
# link: -Ttext=0x400000
# show: frames
# expect: 0 0 entry
# expect: 8 1 call: ra +7, cfa sp-16, fp 0x0
# expect: 7 0 return
# expect: halt at 7, after 5 steps with up to 1 frames
    push %rax
    push %rax
    call at_8
    hlt
at_8:
    ret $0x10
