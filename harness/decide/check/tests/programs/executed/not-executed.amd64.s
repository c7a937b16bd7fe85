# A program that was not executed is judged statically only, and its report states that.
# check: execute
# link:
#
# case: static
# check: static
# expect: undecided, not executed
# expect: undecided nothing-judged
#
# case: executed
# expect: clean, exited 0
#
# case: explored
# check: explore
# expect: clean, 5 of 5 reached, exited 0
    .globl _start
_start: .cfi_startproc
    .cfi_undefined rip
    call f
    mov $60, %eax
    xor %edi, %edi
    syscall
    .cfi_endproc
    .type f, @function
f:  .cfi_startproc
    nop
    nop
    ret
    .cfi_endproc
    .size f, .-f
