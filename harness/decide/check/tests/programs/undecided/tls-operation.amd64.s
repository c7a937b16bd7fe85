# A row that cannot be evaluated is undecided: a CFA by `DW_OP_GNU_push_tls_address`, which some
# reader may know.
# check: execute
# link:
# show: steps
#
# case: executed
# expect: undecided, exited 0, 2 steps refused, 7 of 7 steps judged
# expect: undecided refused at 0x40100e..0x401011: 2 answers
#
# case: explored
# check: explore
# expect: undecided, 5 of 5 reached, exited 0, 4 steps refused, 14 of 14 steps judged
# expect: undecided refused at 0x40100e..0x401011: 2 answers
#
# case: denied
# check: execute deny=undecided
# expect: error, exited 0, 2 steps refused, 7 of 7 steps judged
# expect: undecided refused at 0x40100e..0x401011: 2 answers
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
    .cfi_escape 0x0f,1,0xe0
    nop
    ret
    .cfi_endproc
    .size f, .-f
