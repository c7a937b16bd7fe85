# A throw ends the call that it came from, as eh_return does it.
# link: -Ttext=0x400000
# expect: 0 0 entry
# expect: 6 1 call
# expect: f 2 call
# expect: 16 3 call
# expect: d 1 unwound
# expect: 5 0 return
# expect: halt at 5, after 13 steps with up to 3 frames
    call F
    hlt
F:
    push %rbx
    call g
    hlt
at_d:
    pop %rbx # landing pad
    ret
g:
    push %rbp
    call h
    hlt
h: # h, as eh_return does
    lea 0x10(%rsp),%rcx
    lea at_d(%rip),%rax
    mov %rax,(%rcx)
    mov %rcx,%rsp
    ret
