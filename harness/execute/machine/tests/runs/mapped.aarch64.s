# Mapped memory is used, written from and gone when unmapped.
# link: -Ttext=0x400000
# also: aarch64be
# expect: 0 0 entry
# expect: fault at 48: cannot read 8 bytes at 0x1fffffff000 (not mapped); the instruction is at 0x400048, after 19 steps with up to 0 frames
# expect: 11 bytes written
    movz x8, #0xde // mmap
    movz x0, #0x0
    movz x1, #0x1000
    movz x2, #0x3
    movz x3, #0x22
    movn x4, #0x0
    svc #0x0
    mov x19, x0
    str x8, [x19]
    movz x8, #0x40 // write
    movz x0, #0x1
    mov x1, x19
    movz x2, #0xb
    svc #0x0
    movz x8, #0xd7 // munmap
    mov x0, x19
    movz x1, #0x1000
    svc #0x0
    ldr x1, [x19]
