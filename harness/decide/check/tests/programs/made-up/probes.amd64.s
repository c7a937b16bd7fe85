# A loop that lowers SP by pages and touches each, as with `-fstack-clash-protection`, is left with
# the condition of its end met: the size is an input. The forms are those of gcc and clang.
# check: explore
#
# case: right
# with row: .cfi_def_cfa rsp, 8
# expect: clean, 73 of 73 reached
#
# case: without a row
# with row:
# expect: error, 73 of 73 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x41..0x42
# expect: error eh-frame/cfa-matches-truth at .text+0x77..0x78
# expect: error eh-frame/cfa-matches-truth at .text+0xaf..0xb0
# expect: error eh-frame/cfa-matches-truth at .text+0xed..0xee
    .macro before
    .cfi_startproc
    push %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset rbp, -16
    mov %rsp, %rbp
    .cfi_def_cfa_register rbp
    movslq %edi, %rax
    add $15, %rax
    and $-16, %rax
    mov %rsp, %rcx
    sub %rax, %rcx
    .endm
    .macro after
    mov %rsp, %rdi
    call use
    leave
    {row}
    ret
    .cfi_endproc
    .endm
    .globl gcc
    .type gcc, @function
gcc: before
    cmp %rcx, %rsp
    je 2f
1:  sub $4096, %rsp
    orq $0, 4088(%rsp)
    cmp %rcx, %rsp
    jne 1b
2:  and $4095, %edi
    sub %rdi, %rsp
    after
    .globl gcc_o0
    .type gcc_o0, @function
gcc_o0: before
1:  cmp %rcx, %rsp
    je 2f
    sub $4096, %rsp
    orq $0, 4088(%rsp)
    jmp 1b
2:  after
    .globl clang
    .type clang, @function
clang: before
    cmp %rsp, %rcx
    jge 2f
1:  xorq $0, (%rsp)
    sub $4096, %rsp
    cmp %rsp, %rcx
    jl 1b
2:  mov %rcx, %rsp
    after
    .globl clang_o0
    .type clang_o0, @function
clang_o0: before
    push %rcx
1:  mov -8(%rbp), %rcx
    cmp %rsp, %rcx
    jge 2f
    xorq $0, (%rsp)
    sub $4096, %rsp
    jmp 1b
2:  mov -8(%rbp), %rcx
    mov %rcx, %rsp
    after
