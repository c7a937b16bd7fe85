# Data refer to code in a function that no path reaches. Control comes there from the function
# itself: in a state that it has been seen in, and that the code there brings to its end.
# check: explore
# with depth: 24
# with left: addq $8, %rsp
#
# case: right
# expect: clean, 12 of 12 reached
#
# case: wrong
# with depth: 16
# expect: error, 12 of 12 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x18..0x19
# expect: undecided unconfirmed-state at .text+0x0..0x1c: 1 answers
#
# case: wrong in each state that leads to a good end
# with depth: 40
# with left: leaq -8(%rbp), %rsp
# expect: error, 12 of 12 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x18..0x19
#
# case: right in one such state
# with depth: 24
# with left: leaq -8(%rbp), %rsp
# expect: clean, 12 of 12 reached
    .globl f
f:  .cfi_startproc
    pushq %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset %rbp, -16
    movq %rsp, %rbp
    pushq %rbx
    .cfi_def_cfa_offset 24
    .cfi_offset %rbx, -24
    movl %edi, %ebx
    subq $8, %rsp
    .cfi_def_cfa_offset 32
    movl %ebx, %eax
    addq $8, %rsp
    .cfi_def_cfa_offset 24
    nop
    jmp 3f
2:  .cfi_def_cfa_offset 32
    {left}
    .cfi_def_cfa_offset {depth}
    nop
    .cfi_def_cfa_offset 24
3:  popq %rbx
    .cfi_def_cfa_offset 16
    .cfi_restore %rbx
    popq %rbp
    .cfi_def_cfa_offset 8
    .cfi_restore %rbp
    ret
    .cfi_endproc
    .size f, .-f
    .section own_table, "a"
    .long 0, 2b - .
