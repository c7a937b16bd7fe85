# What was called from another stack may be left by a longjmp.
# link: -Ttext=0x400000 -Tbss=0x600000
# expect: 0 0 entry
# expect: 10 1 call
# expect: 1b 2 call
# expect: f 0 unwound
# expect: halt at f, after 8 steps with up to 2 frames
    mov %rsp,%r12
    lea 0x5(%rip),%r13
    call at_10
    hlt
at_10:
    mov $0x600800,%esp
    call at_1b
    hlt
at_1b:
    mov %r12,%rsp
    jmp *%r13
    .bss
    .skip 0x1000
