# Words after a table, relative to it, are not its entries, although they lead to the function:
# a comparison of a variable bounds it, and if nothing does, padding and the jump itself are no
# targets.
# check: explore
#
# case: bounded
# with index: cmpl $3, which(%rip); ja 9f; movl which(%rip), %eax
# with unreached: incl %esi
# with after: 4b-table
# expect: clean, 16 of 17 reached
#
# case: padding
# with index: movzbl (%rdi), %eax
# with unreached: nop
# with after: 4b-table
# expect: clean, 14 of 14 reached
#
# case: the jump itself
# with index: movzbl (%rdi), %eax
# with unreached: incl %esi
# with after: 0b-table, 4b-table
# expect: clean, 14 of 15 reached
    .globl f
f:  .cfi_startproc
    pushq %rbx
    .cfi_def_cfa_offset 16
    {index}
    leaq table(%rip), %rdx
    movslq (%rdx,%rax,4), %rax
    addq %rdx, %rax
0:  jmp *%rax
1:  incl %edi
2:  incl %edi
3:  incl %edi
    popq %rbx
    .cfi_def_cfa_offset 8
    jmp other
4:  {unreached}
    .cfi_def_cfa_offset 16
5:  incl %edi
9:  popq %rbx
    .cfi_def_cfa_offset 8
    ret
    .cfi_endproc
    .section .rodata
    .balign 4
table:
    .long 1b-table, 2b-table, 3b-table, 5b-table
    .long {after}
    .bss
    .balign 4
which:
    .zero 4
