# A context that is loaded is not the function's frame, as at the end of longjmp: the registers
# are those of another frame, in memory that exploration makes up.
# check: explore
# expect: undecided, 1 of 4 reached
# expect: undecided unconfirmed-state at .text+0x0..0xd: 3 answers
    .globl f
f:  .cfi_startproc
    movq (%rdi), %rbp
    movq 8(%rdi), %rsp
    movq 16(%rdi), %rdx
    jmp *%rdx
    .cfi_endproc
