# A longjmp lands where SP equals that of the frame that it abandons.
# link: -Ttext=0x400000 -Tbss=0x600000
# show: frames
# expect: 0 0 entry
# expect: 10 1 call: ra +e, cfa sp+0, fp 0x0
# expect: 3c 2 call: ra +20, cfa sp-160, fp 0x0
# expect: 20 1 return: ra +e, cfa sp+0, fp 0x0
# expect: 4e 2 call: ra +2e, cfa sp-160, fp 0x0
# expect: 5a 3 call: ra +58, cfa sp-160, fp 0x0
# expect: 20 1 unwound: ra +e, cfa sp+0, fp 0x0
# expect: 30 1 jump
# expect: e 0 return
# expect: exit 1, after 25 steps with up to 3 frames
    llilh %r10,96
    aghi %r15,-160
    brasl %r14,F
    svc 1
F:
    stmg %r14,%r15,112(%r15)
    aghi %r15,-160
    brasl %r14,setjmp
    ltgr %r2,%r2
    jne at_30
    brasl %r14,g
    nopr
at_30:
    aghi %r15,160
    lmg %r14,%r15,112(%r15)
    br %r14
setjmp:
    stg %r14,0(%r10)
    stg %r15,8(%r10)
    lghi %r2,0
    br %r14
g: # g, which uses no stack
    lgr %r9,%r14
    brasl %r14,longjmp
    nopr
longjmp:
    lg %r14,0(%r10)
    lg %r15,8(%r10)
    lghi %r2,1
    br %r14
    .bss
    .skip 0x1000
