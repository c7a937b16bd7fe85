# A PLT stub keeps the frame, bound or lazy. The `jmp` of the stub goes to the instruction after
# it.
# link: -Ttext=0x400000 -Tbss=0x600000
# expect: 0 0 entry
# expect: 12 1 call
# expect: 2b 1 jump
# expect: 11 0 return
# expect: halt at 11, after 10 steps with up to 1 frames
    movq $0x400024,0x600000
    call stub
    hlt
stub:
    push $0x7
    jmp plt0
plt0:
    push 0x600008
    jmp *0x600000
resolver:
    add $0x10,%rsp
    jmp at_2b
    hlt
at_2b:
    ret
    .bss
    .skip 0x1000
