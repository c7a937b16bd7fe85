# The addresses of an interpreter's jumps come from a program in memory: they lead to the labels of
# the function to which data points.
# check: explore
#
# case: right
# with row: .cfi_def_cfa_offset 8
# expect: clean, 12 of 12 reached
#
# case: without a row
# with row:
# expect: error, 12 of 12 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x1e..0x20
    .globl f
    .type f, @function
f:  .cfi_startproc
    push %rbx
    .cfi_def_cfa_offset 16
    .cfi_offset rbx, -16
    mov %rdi, %rbx
    mov (%rbx), %rax
    jmp *8(%rax)
1:  add $8, %rbx
    mov (%rbx), %rax
    jmp *8(%rax)
2:  incl 8(%rbx)
    mov (%rbx), %rax
    jmp *16(%rax)
3:  pop %rbx
    {row}
    nop
    ret
    .cfi_endproc
    .size f, .-f
    .section .data.rel.ro, "aw"
    .balign 8
    .quad 1b, 2b, 3b
