# A function may call from another stack and come back.
# link: -Ttext=0x400000 -Tbss=0x600000
# show: frames
# expect: 0 0 entry
# expect: 6 1 call: ra +5, cfa sp+0, fp 0x0
# expect: 17 2 call: ra +13, cfa 0x600800, fp 0x0
# expect: 13 1 return: ra +5, cfa sp+0, fp 0x0
# expect: 5 0 return
# expect: halt at 5, after 10 steps with up to 2 frames
    call at_6
    hlt
at_6:
    mov %rsp,%rbx
    mov $0x600800,%esp
    call at_17
    mov %rbx,%rsp
    ret
at_17:
    push %rbx
    pop %rbx
    ret
    .bss
    .skip 0x1000
