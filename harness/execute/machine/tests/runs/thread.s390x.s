# A thread executes with frames of its own, on its own stack: the first one clones it, waits
# until the word is not 0, and until the number of the thread is cleared, and ends with both;
# the thread calls f, wakes the other, and ends. The status is 40 and 2.
# link: -Ttext=0x400000
# show: frames
# expect: 0 0 entry
# expect: 22 0 entry in thread 2
# expect: 68 0 jump in thread 2
# expect: 82 1 call in thread 2: ra +6e, cfa sp-16224, fp 0x0
# expect: 6e 0 return in thread 2
# expect: 3a 0
# expect: 60 0 jump
# expect: exit 42, after 34 steps with up to 1 frames
    lay %r12,-256(%r15)
    lgfi %r3,3215104
    lay %r2,-16384(%r15)
    la %r4,8(%r12)
    la %r5,16(%r12)
    mvhi 16(%r12),1
    svc 120
    ltr %r2,%r2
    je thread
at_28:
    lgr %r2,%r12
    lghi %r3,0
    lghi %r4,0
    lghi %r5,0
    svc 238
    lt %r11,0(%r12)
    je at_28
at_44:
    lt %r4,16(%r12)
    je at_60
    la %r2,16(%r12)
    lghi %r3,0
    lghi %r5,0
    svc 238
    j at_44
at_60:
    l %r2,8(%r12)
    ar %r2,%r11
    svc 248
thread:
    brasl %r14, f
    lgr %r2,%r12
    lghi %r3,1
    lghi %r4,1
    svc 238
    lghi %r2,0
    svc 1
f:
    stg %r14,112(%r15)
    mvhi 0(%r12),40
    lg %r14,112(%r15)
    br %r14
    nopr %r7
