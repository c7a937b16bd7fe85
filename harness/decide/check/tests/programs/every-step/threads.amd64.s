# A wrong row is found in the thread that executes it, whatever the first thread executes
# meanwhile: `_start` creates a thread and waits for it, and only the thread calls `victim`.
# check: execute
# as: --gsframe
# link:
# ignore: elf/section-type header/obsolete-version
# show: steps notes messages
#
# case: right
# with pushed: .cfi_def_cfa_offset 16; .cfi_offset %rbp, -16
# with popped: .cfi_def_cfa_offset 8; .cfi_restore %rbp
# expect: clean, exited 42, 4 of 41 steps judged
# expect: note ran 41 instructions in 2 threads: exited with status 42
# expect: note no table describes 35 PCs executed: _start
#
# case: wrong
# with pushed:
# with popped:
# expect: error, exited 42, 4 of 41 steps judged
# expect: error row/cfa-matches-truth at 0x401099..0x4010a2 steps 2 : .sframe gives CFA 0x3ffefffbe58 at victim+0x1 in thread 2, the machine has 0x3ffefffbe60
# expect: note ran 41 instructions in 2 threads: exited with status 42
# expect: note no table describes 35 PCs executed: _start
#
# case: right, schedule 1
# check: execute schedule=1
# with pushed: .cfi_def_cfa_offset 16; .cfi_offset %rbp, -16
# with popped: .cfi_def_cfa_offset 8; .cfi_restore %rbp
# expect: clean, exited 42, 4 of 41 steps judged
# expect: note ran 41 instructions in 2 threads: exited with status 42
# expect: note no table describes 35 PCs executed: _start
#
# case: wrong, schedule 1
# check: execute schedule=1
# with pushed:
# with popped:
# expect: error, exited 42, 4 of 41 steps judged
# expect: error row/cfa-matches-truth at 0x401099..0x4010a2 steps 2 : .sframe gives CFA 0x3ffefffbe58 at victim+0x1 in thread 2, the machine has 0x3ffefffbe60
# expect: note ran 41 instructions in 2 threads: exited with status 42
# expect: note no table describes 35 PCs executed: _start
#
# case: right, schedule 2
# check: execute schedule=2
# with pushed: .cfi_def_cfa_offset 16; .cfi_offset %rbp, -16
# with popped: .cfi_def_cfa_offset 8; .cfi_restore %rbp
# expect: clean, exited 42, 4 of 41 steps judged
# expect: note ran 41 instructions in 2 threads: exited with status 42
# expect: note no table describes 35 PCs executed: _start
#
# case: wrong, schedule 2
# check: execute schedule=2
# with pushed:
# with popped:
# expect: error, exited 42, 4 of 41 steps judged
# expect: error row/cfa-matches-truth at 0x401099..0x4010a2 steps 2 : .sframe gives CFA 0x3ffefffbe58 at victim+0x1 in thread 2, the machine has 0x3ffefffbe60
# expect: note ran 41 instructions in 2 threads: exited with status 42
# expect: note no table describes 35 PCs executed: _start
#
# case: right, schedule 3
# check: execute schedule=3
# with pushed: .cfi_def_cfa_offset 16; .cfi_offset %rbp, -16
# with popped: .cfi_def_cfa_offset 8; .cfi_restore %rbp
# expect: clean, exited 42, 4 of 41 steps judged
# expect: note ran 41 instructions in 2 threads: exited with status 42
# expect: note no table describes 35 PCs executed: _start
#
# case: wrong, schedule 3
# check: execute schedule=3
# with pushed:
# with popped:
# expect: error, exited 42, 4 of 41 steps judged
# expect: error row/cfa-matches-truth at 0x401099..0x4010a2 steps 2 : .sframe gives CFA 0x3ffefffbe58 at victim+0x1 in thread 2, the machine has 0x3ffefffbe60
# expect: note ran 41 instructions in 2 threads: exited with status 42
# expect: note no table describes 35 PCs executed: _start
    .globl _start
    .type _start, @function
_start:
    lea -0x100(%rsp), %r12
    mov $56, %eax # clone
    mov $0x310f00, %edi
    lea -0x4000(%rsp), %rsi
    lea 8(%r12), %rdx
    lea 16(%r12), %r10
    movl $1, 16(%r12)
    syscall
    test %eax, %eax
    je thread
1:  mov $202, %eax # futex(word, WAIT, 0)
    mov %r12, %rdi
    xor %esi, %esi
    xor %edx, %edx
    xor %r10d, %r10d
    syscall
    mov (%r12), %ebx
    test %ebx, %ebx
    je 1b
2:  mov 16(%r12), %edx # until the number of the thread is cleared
    test %edx, %edx
    je 3f
    mov $202, %eax
    lea 16(%r12), %rdi
    xor %esi, %esi
    xor %r10d, %r10d
    syscall
    jmp 2b
3:  mov $231, %eax # exit_group(word + number)
    mov %ebx, %edi
    add 8(%r12), %edi
    syscall
thread: call victim
    mov $202, %eax # futex(word, WAKE, 1)
    mov %r12, %rdi
    mov $1, %esi
    mov $1, %edx
    syscall
    mov $60, %eax
    xor %edi, %edi
    syscall
    .size _start, .-_start
    .type victim, @function
victim: .cfi_startproc
    push %rbp
    {pushed}
    movl $40, (%r12)
    pop %rbp
    {popped}
    ret
    .cfi_endproc
    .size victim, .-victim
