# Judged at every step or not, the outcome is the same: the saved FP is overwritten after the
# first visit of the loop.
# check: execute
# as: --gsframe
# link:
# ignore: elf/section-type header/obsolete-version
# show: steps
# expect: undecided, exited 0, 17 of 21 steps judged
# expect: undecided overwritten-slot at 0x40100e..0x401019: 2 answers
# expect: undecided overwritten-slot at 0x401019..0x40102c: 12 answers
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
    push %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset %rbp, -16
    mov $2, %ecx
1:  nop
    dec %ecx
    jz 2f
    mov %rcx, (%rsp)
    jmp 1b
2:  pop %rbp
    .cfi_def_cfa_offset 8
    .cfi_restore %rbp
    ret
    .cfi_endproc
    .size middle, .-middle
    .type victim, @function
victim: .cfi_startproc
    ret
    .cfi_endproc
    .size victim, .-victim
