# Calls, tail calls, and returns by any register. The CFA is 160 bytes above SP at a function's
# first instruction.
# link: -Ttext=0x400000
# show: frames
# expect: 0 0 entry
# expect: 1a 1 call: ra +a, cfa sp+0, fp 0x0
# expect: 34 2 call: ra +2c, cfa sp-160, fp sp-320
# expect: 3c 2 jump
# expect: 2c 1 return: ra +a, cfa sp+0, fp 0x0
# expect: a 0 return
# expect: 3c 1 call: ra +12, cfa sp+0, fp 0x0
# expect: 12 0 return
# expect: exit 0, after 20 steps with up to 2 frames
    aghi %r15,-160
    brasl %r14,f
    larl %r1,leaf
    basr %r14,%r1
    basr %r13,%r0
    lghi %r1,1
    svc 1
f:
    stmg %r11,%r15,88(%r15)
    aghi %r15,-160
    lgr %r11,%r15
    bras %r14,g
    lmg %r11,%r15,248(%r15)
    br %r14
g:
    jg leaf
    nopr %r7
leaf:
    lgr %r1,%r14
    lghi %r14,0
    br %r1
