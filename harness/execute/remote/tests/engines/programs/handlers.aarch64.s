# Handlers, one of them with SA_SIGINFO, return to the kernel's own code, as a C library's do;
# exits with the number of handled signals.
    .globl _start
handler:
    adr x1, seen
    ldr w2, [x1]
    add w2, w2, #1
    str w2, [x1]
    ret
    .macro send number, action
    mov x0, \number
    adr x1, \action
    mov x2, 0
    mov x3, 8
    mov x8, 134
    svc 0
    mov x8, 172
    svc 0
    mov x1, \number
    mov x8, 129
    svc 0
    .endm
_start:
    send 10, plain
    send 12, rich
    send 12, rich
    ldr w0, seen
    mov x8, 93
    svc 0
    .balign 8
plain:
    .quad handler, 0, 0, 0
rich:
    .quad handler, 4, 0, 0
seen:
    .word 0
