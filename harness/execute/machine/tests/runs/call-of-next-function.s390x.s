# In a stripped program, the function after a call that never returns is called; BASR with operand 0
# reads its own address.
# link: -Ttext=0x400000
# expect: 0 0 entry
# expect: 8 1 call
# expect: exit 5, after 5 steps with up to 1 frames
    basr %r14, %r0
    brasl %r14, at_8
at_8:
    stmg %r14, %r15, 112(%r15)
    lghi %r2, 5
    svc 1
