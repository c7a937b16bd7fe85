# Calls a function, and exits with its argument. In place of the nop the first engine executes `ldgr %f8, %r2`.
    .globl _start
_start:
    lghi %r2, 5
    nop 0
    brasl %r14, f
    svc 1
f:
    br %r14
