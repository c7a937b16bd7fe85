# Judged at every step or not, the outcome is the same: the second call of `victim` overwrites
# the value that `outer`, two calls further out, saved.
# check: execute
# as: --gsframe
# link:
# ignore: elf/section-type header/obsolete-version
# show: steps
# expect: undecided, exited 0, 20 of 24 steps judged
# expect: undecided overwritten-slot at 0x40100e..0x401019: 8 answers
    .globl _start
_start:
    call outer
    mov $60, %eax
    xor %edi, %edi
    syscall
    .type outer, @function
outer: .cfi_startproc
    push %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset %rbp, -16
    mov %rsp, %rbp
    .cfi_def_cfa_register %rbp
    call middle
    pop %rbp
    .cfi_def_cfa %rsp, 8
    ret
    .cfi_endproc
    .size outer, .-outer
    .type middle, @function
middle: .cfi_startproc
    mov $2, %ecx
1:  call victim
    test %ecx, %ecx
    jnz 1b
    ret
    .cfi_endproc
    .size middle, .-middle
    .type victim, @function
victim: .cfi_startproc
    dec %ecx
    jnz 2f
    mov %rsp, (%rbp)
2:  ret
    .cfi_endproc
    .size victim, .-victim
