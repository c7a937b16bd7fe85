# Instructions in XOP encodings, which the emulator executes as POP, lose what they write.
# check: explore
# expect: clean, 10 of 10 reached
    .globl f
    .type f, @function
f:  .cfi_startproc
    push %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset rbp, -16
    vprotd $5, %xmm1, %xmm2
    vpcmov %xmm1, (%rdi), %xmm3, %xmm4
    lwpins $1, -4(%rsp), %eax
    setb %al
    blcfill %ecx, %ebx
    bextr $3, %rdx, %rdx
    lwpval $1, %ecx, %r8
    pop %rbp
    .cfi_def_cfa_offset 8
    .cfi_restore rbp
    ret
    .cfi_endproc
    .size f, .-f
