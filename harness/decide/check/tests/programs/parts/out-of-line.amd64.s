# A part of a function with an FDE of its own, whose return address is computed from the PC, as in the
# locks of the GNU C library up to 2.16 (gcc's cleanup-1.c): it leads to where the function continues, and
# the row there to the caller. Where it leads elsewhere, the row is wrong.
# check: explore
#
# case: to where the function continues
# with back: inside
# expect: clean, 9 of 9 reached
#
# case: to where the function has another frame
# with back: outside
# expect: error, 9 of 9 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x10..0x1c
    .globl f
    .type f, @function
f:  .cfi_startproc
    subq $24, %rsp
    .cfi_def_cfa_offset 32
    testl %edi, %edi
    jnz part
inside: movl %edi, %eax
    addq $24, %rsp
    .cfi_def_cfa_offset 8
    nop
outside: ret
    .cfi_endproc
    .size f, . - f
    .text 1
    .type part, @function
part:
1:  leaq 8(%rsp), %rdi
2:  call g
4:  jmp inside
9:
    .size part, . - part
    .section .eh_frame, "a", @progbits
10: .long 12f - 11f
11: .long 0
    .byte 1
    .asciz "zR"
    .uleb128 1
    .sleb128 -8
    .byte 16
    .uleb128 1
    .byte 0x1b
    # DW_CFA_def_cfa rsp+0: SP is that of the function.
    .byte 0x0c, 7, 0
    .balign 8
12: .long 15f - 13f
13: .long 13b - 10b
    .long 1b - .
    .long 9b - 1b
    .uleb128 0
    # DW_CFA_val_expression rip, DW_OP_breg16: the address at which the function continues.
    .byte 0x16, 16
    .uleb128 17f - 16f
16: .byte 0x80
    .sleb128 {back} - 1b
17: .byte 0x40 + (2b - 1b), 0x16, 16
    .uleb128 19f - 18f
18: .byte 0x80
    .sleb128 {back} - 2b
19: .byte 0x40 + (4b - 2b), 0x16, 16
    .uleb128 21f - 20f
20: .byte 0x80
    .sleb128 {back} - 4b
21: .balign 8
15:
