# A loop that lowers SP by pages and touches each, as with `-fstack-clash-protection`, is left with
# the condition of its end met: the size is an input. The forms are those of gcc and clang.
# check: explore
#
# case: right
# with row: .cfi_def_cfa sp, 0
# expect: clean, 34 of 34 reached
#
# case: without a row
# with row:
# expect: error, 34 of 34 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x44..0x48
# expect: error eh-frame/cfa-matches-truth at .text+0x84..0x88
    .macro before
    .cfi_startproc
    stp x29, x30, [sp, -16]!
    .cfi_def_cfa_offset 16
    .cfi_offset x29, -16
    .cfi_offset x30, -8
    mov x29, sp
    .cfi_def_cfa_register x29
    add x2, x0, 15
    and x1, x2, -65536
    sub x1, sp, x1
    .endm
    .macro after
    mov x0, sp
    bl use
    mov sp, x29
    ldp x29, x30, [sp], 16
    {row}
    .cfi_restore x29
    .cfi_restore x30
    ret
    .cfi_endproc
    .endm
    .globl gcc
    .type gcc, %function
gcc: before
    cmp sp, x1
    beq 2f
1:  sub sp, sp, #65536
    str xzr, [sp, 1024]
    cmp sp, x1
    bne 1b
2:  and x2, x2, 65535
    sub sp, sp, x2
    after
    .globl clang
    .type clang, %function
clang: before
1:  sub sp, sp, #1, lsl #12
    cmp sp, x1
    b.le 2f
    str xzr, [sp]
    b 1b
2:  mov sp, x1
    after
