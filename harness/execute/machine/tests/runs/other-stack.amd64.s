# Another stack is taken up before the first call.
# link: -Ttext=0x400000 -Tbss=0x600000
# show: frames
# expect: 0 0 entry
# expect: b 1 call: ra +a, cfa 0x600800, fp 0x0
# expect: a 0 return
# expect: halt at a, after 4 steps with up to 1 frames
    mov $0x600800,%esp
    call at_b
    hlt
at_b:
    ret
    .bss
    .skip 0x1000
