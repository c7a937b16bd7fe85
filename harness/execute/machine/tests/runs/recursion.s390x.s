# Recursion: SP distinguishes the activations.
# link: -Ttext=0x400000
# expect: 0 0 entry
# expect: 10 1 call
# expect: 10 2 call
# expect: 32 2 jump
# expect: 28 1 return
# expect: e 0 return
# expect: exit 0, after 15 steps with up to 2 frames
    lghi %r2,2
    aghi %r15,-160
    brasl %r14,at_10
    svc 1
at_10:
    aghi %r2,-1
    je at_32
    stmg %r14,%r15,112(%r15)
    aghi %r15,-160
    brasl %r14,at_10
    aghi %r15,160
    lmg %r14,%r15,112(%r15)
at_32:
    br %r14
