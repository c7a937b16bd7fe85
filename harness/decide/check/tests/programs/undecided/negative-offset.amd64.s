# An instruction that only other readers know is undecided, in the FDE or in its CIE:
# `DW_CFA_GNU_negative_offset_extended`, which libgcc and gdb support, of a register saved 16
# bytes above the CFA.
# check: execute
# link:
#
# case: in the FDE, executed
# with first: nop
# expect: undecided, exited 0, 3 steps refused
# expect: undecided refused at 0x40100e..0x401011: 3 answers
#
# case: in the FDE, explored
# check: explore
# with first: nop
# expect: undecided, 5 of 5 reached, exited 0, 6 steps refused
# expect: undecided refused at 0x40100e..0x401011: 3 answers
#
# case: in the CIE, executed
# with first:
# expect: undecided, exited 0, 2 steps refused
# expect: undecided refused at 0x40100e..0x401010: 2 answers
#
# case: in the CIE, explored
# check: explore
# with first:
# expect: undecided, 5 of 5 reached, exited 0, 4 steps refused
# expect: undecided refused at 0x40100e..0x401010: 2 answers
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
    {first}
    .cfi_escape 0x2f,3,2
    nop
    ret
    .cfi_endproc
    .size f, .-f
