# A place with two SPs is judged by its row: as in libgo, other code continues after the
# same call, which leads into a loop with a lower SP in each iteration; all callers are known,
# as it is a program.
# check: explore
# link: -e begin
#
# case: right
# with row: 16
# expect: undecided, 12 of 15 reached
# expect: undecided illegal-instruction
# expect: undecided unconfirmed-state at 0x401011..0x401028: 3 answers
#
# case: wrong about both
# with row: 24
# expect: error, 15 of 15 reached
# expect: error eh-frame/cfa-matches-truth at 0x40101f..0x401028
# expect: undecided illegal-instruction
# expect: undecided unconfirmed-state at 0x401011..0x401028: 2 answers
    .globl begin
begin: .cfi_startproc
    .cfi_undefined rip
    ud2
    .cfi_endproc
typed: .cfi_startproc
    ret
    .cfi_endproc
die: .cfi_startproc
    ud2
    .cfi_endproc
    .globl a
a:  .cfi_startproc
    call die
    ret
    .cfi_endproc
    .globl b
b:  .cfi_startproc
    call die
    ret
    .cfi_endproc
    .globl f
f:  .cfi_startproc
    pushq %rbx
    .cfi_def_cfa_offset 16
    testl %edi, %edi
    jne 2f
1:  subq $16, %rsp
    .cfi_def_cfa_offset 32
    call die
2:  .cfi_def_cfa_offset {row}
    incl %eax
    call typed
    jmp 1b
    .cfi_endproc
