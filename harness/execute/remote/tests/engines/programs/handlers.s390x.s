# Handlers, one of them with SA_SIGINFO, return to the kernel's own code, as a C library's do;
# exits with the number of handled signals, the last of `cvb` with invalid digits: SIGILL.
    .globl _start
handler:
    larl %r1,seen
    l %r2,0(%r1)
    ahi %r2,1
    st %r2,0(%r1)
    br %r14
    .macro send number, action
    lghi %r2,\number
    larl %r3,\action
    lghi %r4,0
    lghi %r5,8
    svc 174
    svc 20
    lghi %r3,\number
    svc 37
    .endm
_start:
    send 10, plain
    send 12, rich
    lghi %r2,4
    larl %r3,rich
    lghi %r4,0
    svc 174
    larl %r1,plain
    cvb %r2,8(%r1)
    larl %r1,seen
    llgf %r2,0(%r1)
    svc 1
    .balign 8
plain:
    .quad handler, 0, 0, 0
rich:
    .quad handler, 4, 0, 0
seen:
    .long 0
