# Where the program begins is no part of the function before it, which ends with a call that
# does not return and an instruction that is executed from elsewhere (`tred` of s390x).
# check: explore
# link: -e begin
# expect: undecided, 9 of 9 reached
# expect: undecided illegal-instruction
die: .cfi_startproc
    ud2
    .cfi_endproc
other: .cfi_startproc
    call f
    ret
    .cfi_endproc
f:  .cfi_startproc
    subq $24, %rsp
    .cfi_def_cfa_offset 32
    call die
    incl (%rcx)
    .cfi_endproc
    .globl begin
begin: .cfi_startproc
    .cfi_undefined rip
    xorl %ebp, %ebp
    call other
    ud2
    .cfi_endproc
