# A retpoline in a function without a symbol is undecided, as it could be a function (gcc's
# `-mindirect-branch=thunk-inline` with frame pointers); with the symbol it is a part of that.
# check: execute
# link:
#
# case: with its symbol
# with symbol: .type f,@function; .size f,f_end-f
# with offset: 16
# expect: clean, exited 0
#
# case: with its symbol, wrong
# with symbol: .type f,@function; .size f,f_end-f
# with offset: 24
# expect: error, exited 0
# expect: error eh-frame/cfa-matches-truth at 0x40101b..0x401020 and 1 more ranges
#
# case: without
# with symbol:
# with offset: 16
# expect: undecided, exited 0
# expect: undecided own-entry-convention at 0x40100e..0x401030: 3 answers
#
# case: without, wrong
# with symbol:
# with offset: 24
# expect: error, exited 0
# expect: error eh-frame/cfa-matches-truth at 0x40101b..0x401020 and 1 more ranges
    .globl _start
    .type _start,@function
_start:
    .cfi_startproc
    .cfi_undefined rip
    call f
    mov $60,%eax
    xor %edi,%edi
    syscall
    .cfi_endproc
    .size _start,.-_start
    {symbol}
f:
    .cfi_startproc
    push %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset %rbp,-16
    mov %rsp,%rbp
    .cfi_def_cfa_register %rbp
    lea g(%rip),%rax
    jmp 2f
1:  .cfi_def_cfa_offset {offset}
    call 3f
4:  pause
    jmp 4b
3:  mov %rax,(%rsp)
    ret
2:  .cfi_def_cfa_offset 16
    call 1b
    pop %rbp
    .cfi_def_cfa %rsp,8
    ret
    .cfi_endproc
f_end:
g:
    .cfi_startproc
    ret
    .cfi_endproc
