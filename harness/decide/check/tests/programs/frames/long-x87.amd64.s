# Some hundred instructions of the x87 in a line, as in FFTW's code for `long double`: the emulator crashed
# when it translated them as one block, and no function of the file was explored.
# check: explore
#
# case: right
# with offset: 16
# expect: clean, 603 of 603 reached
#
# case: wrong
# with offset: 24
# expect: error, 603 of 603 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x4b1..0x4b2
    .globl f
    .type f, @function
f:  .cfi_startproc
    pushq %rbx
    .cfi_def_cfa_offset 16
    .rept 200
    fldt (%rdi)
    fmul %st(1), %st
    fstpt (%rsi)
    .endr
    .cfi_def_cfa_offset {offset}
    nop
    .cfi_def_cfa_offset 16
    popq %rbx
    .cfi_def_cfa_offset 8
    ret
    .cfi_endproc
    .size f, . - f
