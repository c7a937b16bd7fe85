# A load that may fault continues at its fixup: `__ex_table` pairs both places.
# check: explore
# with depth: 16
# with entry: .long 1b - ., 2b - ., 3
#
# case: right
# expect: clean, 8 of 8 reached
#
# case: wrong
# with depth: 24
# expect: error, 8 of 8 reached
# expect: error eh-frame/cfa-matches-truth at .text.unlikely+0x0..0x8
#
# case: wrong, entries of 8 bytes
# with depth: 24
# with entry: .long 1b - ., 2b - .
# expect: error, 8 of 8 reached
# expect: error eh-frame/cfa-matches-truth at .text.unlikely+0x0..0x8
#
# case: wrong, entries of 16 bytes
# with depth: 24
# with entry: .long 1b - ., 2b - .; .quad handler
# expect: error, 8 of 8 reached
# expect: error eh-frame/cfa-matches-truth at .text.unlikely+0x0..0x8
#
# case: wrong, addresses of 64 bits
# with depth: 24
# with entry: .quad 1b, 2b
# expect: error, 8 of 8 reached
# expect: error eh-frame/cfa-matches-truth at .text.unlikely+0x0..0x8
# expect: undecided own-entry-convention at .text.unlikely+0x0..0x9: 2 answers
#
# case: wrong, linked
# with depth: 24
# link: -e f
# expect: error, 8 of 8 reached
# expect: error eh-frame/cfa-matches-truth at 0x401000..0x401008
# expect: info eh-frame/outermost at 0x401009..0x401010
# expect: undecided fault
# expect: undecided own-entry-convention at 0x401000..0x401009: 2 answers
    .globl f
f:  .cfi_startproc
    pushq %rbx
    .cfi_def_cfa_offset 16
    .cfi_offset %rbx, -16
    movq %rdi, %rbx
1:  movq (%rbx), %rax
    popq %rbx
    .cfi_def_cfa_offset 8
    .cfi_restore %rbx
    ret
    .cfi_endproc
    .size f, .-f
handler: ret
    .section .text.unlikely, "ax"
f.cold:
    .cfi_startproc
    .cfi_def_cfa_offset {depth}
    .cfi_offset %rbx, -16
2:  movq $-14, %rax
    popq %rbx
    .cfi_def_cfa_offset 8
    .cfi_restore %rbx
    ret
    .cfi_endproc
    .size f.cold, .-f.cold
    .section __ex_table, "a"
    .balign 4
    {entry}
