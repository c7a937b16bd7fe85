# Code that is reached only after a no-op was patched into a jump: `__jump_table` pairs both places.
# check: explore
# with depth: 16
# with entry: .long 1b - ., 2b - .; .quad key - .
# with section: __jump_table
#
# case: right
# expect: clean, 11 of 11 reached
#
# case: wrong
# with depth: 32
# expect: error, 11 of 11 reached
# expect: error eh-frame/cfa-matches-truth at .text+0xc..0x14
#
# case: wrong, linked into another section
# with depth: 32
# with section: .data
# link: -e f
# expect: error, 11 of 11 reached
# expect: error eh-frame/cfa-matches-truth at 0x40100c..0x401014
# expect: info eh-frame/outermost at 0x401000..0x40100c
# expect: undecided fault
#
# case: wrong, addresses of 64 bits
# with depth: 32
# with entry: .quad 1b, 2b, key
# expect: error, 11 of 11 reached
# expect: error eh-frame/cfa-matches-truth at .text+0xc..0x14
    .globl f
f:  .cfi_startproc
    pushq %rbx
    .cfi_def_cfa_offset 16
    .cfi_offset %rbx, -16
    movl %edi, %ebx
1:  .byte 0x0f, 0x1f, 0x44, 0x00, 0x00
    movl %ebx, %eax
3:  popq %rbx
    .cfi_def_cfa_offset 8
    .cfi_restore %rbx
    ret
2:  .cfi_def_cfa_offset {depth}
    .cfi_offset %rbx, -16
    leal 1(%rdi), %eax
    nop
    subq $8, %rsp
    .cfi_def_cfa_offset 24
    imull %edi, %eax
    imull %ebx, %eax
    addq $8, %rsp
    .cfi_def_cfa_offset 16
    jmp 3b
    .cfi_endproc
    .size f, .-f
    .section {section}, "aw"
    .balign 8
    .globl __start___jump_table, __stop___jump_table
__start___jump_table:
    {entry}
__stop___jump_table:
    .data
key: .quad 0
