# Judged at every step or not, the outcome is the same: the call in a retpoline (`jmp *%rax`)
# makes no frame, however often it is executed.
# check: execute
# as: --gsframe
# link:
# ignore: elf/section-type header/obsolete-version
# show: steps
# expect: clean, exited 0, 607 of 611 steps judged
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
    mov $100, %ecx
1:  lea 4f(%rip), %rax
    call 3f
2:  pause
    jmp 2b
3:  .cfi_def_cfa_offset 16
    mov %rax, (%rsp)
    ret
4:  .cfi_def_cfa_offset 8
    dec %ecx
    jnz 1b
    ret
    .cfi_endproc
    .size middle, .-middle
    .type victim, @function
victim: .cfi_startproc
    ret
    .cfi_endproc
    .size victim, .-victim
