# Operations, registers and columns that mean nothing on the ABI are errors, whatever the result
# of the run; an expression that can be evaluated is right.
# check: execute
# link:
#
# case: an unknown operation
# with row: .cfi_escape 0x0f,1,0xdf
# expect: error, exited 0, 2 steps refused
# expect: error cfi/refused at 0x40100e..0x401011
# expect: undecided refused at 0x40100e..0x401011: 2 answers
#
# case: an operation of vendors
# with row: .cfi_escape 0x0f,1,0xe5
# expect: error, exited 0, 2 steps refused
# expect: error cfi/refused at 0x40100e..0x401011
# expect: undecided refused at 0x40100e..0x401011: 2 answers
#
# case: an unknown register
# with row: .cfi_escape 9,16,60
# expect: error, exited 0, 2 steps refused
# expect: error cfi/refused at 0x40100e..0x401011
# expect: undecided refused at 0x40100e..0x401011: 2 answers
#
# case: an unknown column
# with row: .cfi_return_column 18
# expect: error, exited 0, 3 steps refused
# expect: error cfi/refused
# expect: undecided refused at 0x40100e..0x401011: 3 answers
#
# case: rsp + 8, with undecided answers denied
# check: execute deny=undecided
# with row: .cfi_escape 0x0f,4,0x77,0,0x38,0x22
# expect: clean, exited 0
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
    {row}
    nop
    ret
    .cfi_endproc
    .size f, .-f
