# Operands of known instructions are checked: the emulator adds a minimum to itself, and
# subtracts it from zero, without overflow. Each sum overflows in the third round alone; the
# program exits with 0 if all four did.
# check: execute
# link:
# show: steps
# expect: clean, exited 0, 64 of 64 steps judged
    .globl _start
_start: .cfi_startproc
    .cfi_undefined %r14
    llihh %r3, 0x8000
    llilh %r8, 0x8000
    llihh %r5, 0x2000
    llilh %r9, 0x2000
    lghi %r10, -2
    lghi %r1, 0
    lghi %r4, 3
1:  lgr %r2, %r5
    agr %r2, %r3
    jno 2f
    aghi %r1, 1
2:  lgr %r2, %r8
    ar %r2, %r9
    jno 2f
    aghi %r1, 1
2:  lgr %r2, %r10
    sgr %r2, %r3
    jno 2f
    aghi %r1, 1
2:  lgr %r2, %r10
    sr %r2, %r8
    jno 2f
    aghi %r1, 1
2:  aghi %r10, 1
    sllg %r5, %r5, 1
    sllg %r9, %r9, 1
    brctg %r4, 1b
    cghi %r1, 4
    je 2f
    .long 0
2:
    lghi %r2, 0
    lghi %r1, 1
    svc 0
    .cfi_endproc
