# Executed and interruptible instructions keep the sequence: the `ex` at 30 executes the `basr`
# at 3c, a call whose return address is after the `ex`.
# link: -Ttext=0x400000 -Tbss=0x600000
# show: frames
# expect: 0 0 entry
# expect: 3e 1 call: ra +34, cfa sp+160, fp 0x0
# expect: 34 0 return
# expect: exit 16, after 15 steps with up to 1 frames
    llilh %r2,96
    lghi %r3,16
    llilh %r4,96
    aghi %r4,64
    lghi %r5,16
    mvcl %r2,%r4
    larl %r1,at_36
    lghi %r0,0
    ex %r0,0(%r1)
    larl %r1,at_3e
    larl %r6,at_3c
    ex %r0,0(%r6)
    svc 1
at_36:
    mvc 0(1,%r15),0(%r15)
at_3c:
    basr %r14,%r1
at_3e:
    br %r14
    .bss
    .skip 0x1000
