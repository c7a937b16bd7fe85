# Sections of 2 GiB come after the others, so that these reach each other with 32 bits; of memory
# for them exploration has as much as it needs.
# check: explore
# with row: .cfi_def_cfa_offset 16
#
# case: right
# expect: clean, 6 of 6 reached
#
# case: without a row
# with row:
# expect: error, 6 of 6 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x1..0x13
    .section .bss.first, "aw", @nobits
first:
    .zero 0x90000000
    .section .bss.second, "aw", @nobits
    .zero 0x7000000000
    .text
    .globl f
f:  .cfi_startproc
    push %rbx
    {row}
    .cfi_offset rbx, -16
    lea first(%rip), %rax
    mov (%rax), %rbx
    mov %rbx, 0x50000000(%rax)
    pop %rbx
    .cfi_def_cfa_offset 8
    ret
    .cfi_endproc
