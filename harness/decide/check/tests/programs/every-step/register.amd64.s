# Judged at every step or not, the outcome is the same: FP differs at the second visit of the
# loop.
# check: execute
# as: --gsframe
# link:
# ignore: elf/section-type header/obsolete-version
# show: steps
# expect: error, exited 0, 17 of 21 steps judged
# expect: error row/fp-matches-truth at 0x401021..0x401026 and 1 more ranges steps 5
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
    mov %rbp, %r8
    mov $2, %ecx
1:  nop
    dec %ecx
    jz 2f
    mov %rcx, %rbp
    jmp 1b
2:  mov %r8, %rbp
    ret
    .cfi_endproc
    .size middle, .-middle
    .type victim, @function
victim: .cfi_startproc
    ret
    .cfi_endproc
    .size victim, .-victim
