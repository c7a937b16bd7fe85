# A function that is jumped to with the address of the next instruction at the top of the stack is
# called; a label is not.
# link: -Ttext=0x400000
# function: 24 26
# show: frames
# expect: 0 0 entry
# expect: 18 0 jump
# expect: a 0 jump
# expect: 15 0 jump
# expect: 14 0 jump
# expect: halt at 14, after 11 steps with up to 0 frames
    lea 1f(%rip), %rax
    push %rax
    jmp f
1:  lea 2f(%rip), %rax
    push %rax
    jmp inside
2:  hlt
inside:
    pop %rax
    jmp *%rax
f:  nop
    ret
