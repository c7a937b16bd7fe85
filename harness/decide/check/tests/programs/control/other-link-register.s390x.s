# A call by another register than the link register leaves the link register alone: `__fentry__` of
# `gcc -pg -mfentry`, and `basr %r13`.
# check: explore
# expect: clean, 10 of 10 reached
    .globl f
    .type f, @function
f:  .cfi_startproc
    brasl %r0, __fentry__
    cgrjne %r2, %r3, 1f
    j .+2
1:  lgr %r1, %r2
    sllg %r2, %r2, 1
    agr %r2, %r1
    br %r14
    .cfi_endproc
    .size f, .-f
    .globl g
    .type g, @function
g:  .cfi_startproc
    larl %r1, helper
    basr %r5, %r1
    nopr
    br %r14
    .cfi_endproc
    .size g, .-g
