# A wrong first row is undecided where only the address of the function is taken, as of libffi's
# closures: it never returns, nothing calls it, and the row may describe an entry of its own.
# check: explore
# expect: undecided, 2 of 5 reached
# expect: undecided own-entry-convention at .text+0x8..0xd: 1 answers
    .globl f
f:  .cfi_startproc
    leaq g(%rip), %rax
    ret
    .cfi_endproc
g:  .cfi_startproc
    .cfi_remember_state
    .cfi_def_cfa_offset 24
    pushq %rbx
    .cfi_def_cfa_offset 16
1:  testl %edi, %edi
    jmp 1b
    .cfi_endproc
