# An image of the upper half of the address space, where kernels are, is executed and explored there;
# a linker script may put `__jump_table` into another section, without a name.
# check: explore
# link: -e f -Ttext-segment=0xffffffff81000000
# with depth: 24
# with sections: .eh_frame
#
# case: right
# expect: clean, 13 of 13 reached, exited 0
# expect: info eh-frame/outermost at 0xffffffff81001000..0xffffffff81001018 and 1 more ranges
#
# case: wrong
# with depth: 32
# expect: error, 13 of 13 reached, exited 0
# expect: error eh-frame/cfa-matches-truth at 0xffffffff8100101a..0xffffffff8100101e
# expect: info eh-frame/outermost at 0xffffffff81001000..0xffffffff81001018 and 1 more ranges
#
# case: wrong in .debug_frame
# with depth: 32
# with sections: .debug_frame
# expect: error, 13 of 13 reached, exited 0
# expect: error eh-frame/cfa-matches-truth at 0xffffffff8100101a..0xffffffff8100101e
# expect: info eh-frame/outermost at 0xffffffff81001000..0xffffffff81001018 and 1 more ranges
    .cfi_sections {sections}
    .globl f
f:  .cfi_startproc
    pushq %rbx
    .cfi_def_cfa_offset 16
    .cfi_offset %rbx, -16
    movl $7, %ebx
1:  .byte 0x0f, 0x1f, 0x44, 0x00, 0x00
    movslq %ebx, %rax
    andl $1, %eax
    jmp *table(,%rax,8)
2:  pushq $1
    .cfi_def_cfa_offset {depth}
    addq $8, %rsp
    .cfi_def_cfa_offset 16
3:  incl %ebx
4:  movl $60, %eax
    xorl %edi, %edi
    syscall
    popq %rbx
    .cfi_def_cfa_offset 8
    .cfi_restore %rbx
    ret
    .cfi_endproc
    .size f, .-f
    .section .rodata, "a"
    .balign 8
table: .quad 3b, 4b
    .data
    .long 1b - ., 2b - .
    .quad key + 1 - .
key: .quad 0
