# Sets eight bytes by FEAT_MOPS, which the first engine lacks, and exits with one.
    .arch armv8.8-a+mops
    .globl _start
_start:
    sub sp, sp, #16
    mov x0, sp
    mov x1, #8
    mov x2, #7
    setp [x0]!, x1!, x2
    setm [x0]!, x1!, x2
    sete [x0]!, x1!, x2
    ldrb w0, [sp, #7]
    mov x8, #93
    svc #0
