# The CFA in r16 of APX, DWARF register 130, and FP in r31, 145: their values are unknown where nothing executes APX. The
# answers are undecided, and no row is refused.
# check: explore
# expect: undecided, 8 of 8 reached, 5 steps refused
# expect: undecided refused at .text+0x0..0xe: 3 answers
# expect: undecided refused at .text+0xe..0x1c: 2 answers
    .globl f
    .type f, @function
f:  .cfi_startproc
    .byte 0xd5, 0x19, 0x89, 0xe0  # mov %rsp, %r16
    .cfi_def_cfa 130, 8
    sub $64, %rsp
    nop
    .byte 0xd5, 0x4c, 0x89, 0xc4  # mov %r16, %rsp
    .cfi_def_cfa rsp, 8
    ret
    .cfi_endproc
    .size f, .-f
    .globl g
    .type g, @function
g:  .cfi_startproc
    .byte 0xd5, 0x19, 0x89, 0xef  # mov %rbp, %r31
    .cfi_register rbp, 145
    mov $1, %ebp
    .byte 0xd5, 0x4c, 0x89, 0xfd  # mov %r31, %rbp
    .cfi_restore rbp
    ret
    .cfi_endproc
    .size g, .-g
