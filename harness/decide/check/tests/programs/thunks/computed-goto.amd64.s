# A computed goto through a thunk, which is jumped to with the function's frame: the thunk's rows are those
# of its calls. Where the thunk is in another file, the labels are entered with each frame of the function,
# and what is wrong in one of them only is undecided.
# check: explore
#
# case: the thunk is in the file
# with thunk: thunk
# with offset: 32
# expect: clean, 24 of 24 reached
#
# case: the thunk is in another file
# with thunk: elsewhere
# with offset: 32
# expect: undecided, 19 of 24 reached
# expect: undecided unconfirmed-state at .text+0x0..0x3f: 5 answers
#
# case: a wrong row
# with thunk: thunk
# with offset: 48
# expect: error, 24 of 24 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x5..0x37
    .globl f
    .type f, @function
f:  .cfi_startproc
    pushq %rbx
    .cfi_def_cfa_offset 16
    .cfi_offset %rbx, -16
    subq $16, %rsp
    .cfi_def_cfa_offset {offset}
    movq %rdi, %rbx
    movzbl (%rbx), %eax
    leaq labels(%rip), %rcx
    movq (%rcx,%rax,8), %rax
    jmp {thunk}
.Lone:
    call g
    movzbl 1(%rbx), %eax
    leaq labels(%rip), %rcx
    movq (%rcx,%rax,8), %rax
    jmp {thunk}
.Ltwo:
    call h
    addq $16, %rsp
    .cfi_def_cfa_offset 16
    popq %rbx
    .cfi_def_cfa_offset 8
    ret
    .cfi_endproc
    .size f, . - f
    .globl calls
    .type calls, @function
calls: .cfi_startproc
    subq $8, %rsp
    .cfi_def_cfa_offset 16
    movq %rdi, %rax
    call thunk
    addq $8, %rsp
    .cfi_def_cfa_offset 8
    ret
    .cfi_endproc
    .size calls, . - calls
    .type thunk, @function
thunk: .cfi_startproc
    call 2f
1:  pause
    lfence
    jmp 1b
2:  .cfi_adjust_cfa_offset 8
    movq %rax, (%rsp)
    ret
    .cfi_endproc
    .size thunk, . - thunk
    .section .data.rel.ro, "aw", @progbits
labels: .quad .Lone, .Ltwo
