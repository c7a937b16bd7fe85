# A row whose CFA counts from the CFA means nothing. The other rows of its function are judged: the last is wrong.
# check: explore
# expect: error, 3 of 3 reached
# expect: error flex/cfa-register at .text+0x1..0x3
# expect: error row/cfa-matches-truth at .text+0x3..0x4
    .globl f
    .type f, @function
f:  .cfi_startproc
    push %rbx
    .cfi_def_cfa_offset 16
    .cfi_offset rbx, -16
    nop
    pop %rbx
    .cfi_restore rbx
    .cfi_def_cfa_offset 8
    ret
    .cfi_endproc
    .size f, .-f
    .section .sframe, "a", @0x6ffffff4
    .balign 8
    .short 0xdee2
    .byte 3, 4  # start fields are relative to themselves
    .byte 3, 0, -8, 0
    .long 1, 3, 5 + 3 * 4, 0, 16
    .quad f - .
    .long 4, 0
    .short 3
    .byte 0, 1, 0  # flexible
    .byte 0, 4, 7 << 3 | 1, 8
    .byte 1, 4, 7 << 3, 16
    .byte 3, 4, 7 << 3 | 1, 16
