# Clears the block of memory at a multiple of 512 and exits with the byte 64 bytes after it.
    .globl _start
_start:
    adrp x1, block
    mov w0, #7
    strb w0, [x1, #64]
    dc zva, x1
    ldrb w0, [x1, #64]
    mov x8, #93
    svc #0
    .bss
    .balign 4096
block:
    .skip 4096
