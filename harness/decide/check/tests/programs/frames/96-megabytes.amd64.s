# A frame is as large as an instruction names.
# check: explore
#
# case: right
# with row: .cfi_def_cfa_offset 16
# expect: clean, 17 of 17 reached
#
# case: late
# with row:
# expect: error, 17 of 17 reached
# expect: error eh-frame/ra-matches-truth at .text+0xf..0x10
    .globl f
    .type f, @function
f:  .cfi_startproc
    sub $0x6000000, %rsp
    .cfi_def_cfa_offset 0x6000008
    nop
    add $0x5fffff8, %rsp
    {row}
    nop
    .cfi_def_cfa_offset 16
    pop %rax
    .cfi_def_cfa_offset 8
    ret
    .cfi_endproc
    .size f, .-f
    .globl g
    .type g, @function
g:  .cfi_startproc
    mov $0x40000000, %eax
    sub %rax, %rsp
    .cfi_def_cfa_offset 0x40000008
    push %rbx
    .cfi_def_cfa_offset 0x40000010
    .cfi_offset rbx, -0x40000010
    pop %rbx
    .cfi_restore rbx
    .cfi_def_cfa_offset 0x40000008
    add $0x40000000, %rsp
    .cfi_def_cfa_offset 8
    ret
    .cfi_endproc
    .size g, .-g
    .globl h
    .type h, @function
h:  .cfi_startproc
    lea -0x6000000(%rsp), %r11
    .cfi_def_cfa r11, 0x6000008
1:  sub $4096, %rsp
    orq $0, (%rsp)
    cmp %r11, %rsp
    jne 1b
    .cfi_def_cfa_register rsp
    nop
    add $0x6000000, %rsp
    .cfi_def_cfa_offset 8
    ret
    .cfi_endproc
    .size h, .-h
