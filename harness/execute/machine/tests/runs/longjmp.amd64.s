# A longjmp drops the frames inside the setjmp; between the change of SP and the jump no frame
# is the caller's.
# link: -Ttext=0x400000 -Tbss=0x600000
# show: frames
# expect: 0 0 entry
# expect: 6 1 call: ra +5, cfa sp+0, fp 0x0
# expect: 18 2 call: ra +c, cfa sp-16, fp 0x0
# expect: c 1 return: ra +5, cfa sp+0, fp 0x0
# expect: 34 2 call: ra +15, cfa sp-16, fp 0x0
# expect: 3b 3 call: ra +3a, cfa sp-32, fp 0x0
# expect: c 1 unwound: ra +5, cfa sp+0, fp 0x0
# expect: 16 1 jump
# expect: 5 0 return
# expect: halt at 5, after 22 steps with up to 3 frames
    call F
    hlt
F:
    push %rbx
    call setjmp
    test %eax,%eax
    jne at_16
    call g
    hlt
at_16:
    pop %rbx
    ret
setjmp:
    mov (%rsp),%rax
    mov %rax,0x600000
    lea 0x8(%rsp),%rax
    mov %rax,0x600008
    xor %eax,%eax
    ret
g:
    push %rbp
    call longjmp
    hlt
longjmp:
    mov $0x1,%eax
    mov 0x600008,%rsp
    jmp *0x600000
    .bss
    .skip 0x1000
