# Another stack is not followed where no function begins: its frames are not known from there
# on.
# link: -Ttext=0x400000 -Tbss=0x600000
# expect: 0 0 entry
# expect: 6 1 call
# expect: 5 0 switched, not followed
# expect: halt at 5, after 5 steps with up to 1 frames
    call at_6
    hlt
at_6:
    mov $0x600800,%esp
    movq $0x400005,(%rsp)
    ret
    .bss
    .skip 0x1000
