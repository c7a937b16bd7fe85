# In a stripped program, the function after a call that never returns is called: it does not pop
# the address that the call pushed.
# link: -Ttext=0x400000
# expect: 0 0 entry
# expect: 5 1 call
# expect: exit 5, after 5 steps with up to 1 frames
    call at_5
at_5:
    sub $24, %rsp
    mov $5, %edi
    mov $60, %eax
    syscall
