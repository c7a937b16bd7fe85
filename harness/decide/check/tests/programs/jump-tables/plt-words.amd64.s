# Words of data that equal addresses in the head of a lazy PLT, as Unicode's U+202C does in libfribidi:
# the head's jump leads to the dynamic linker, not to the instruction after it.
# check: explore
# link: -shared -z lazy
# show: notes
# expect: clean, 17 of 17 reached
# expect: note no .sframe section: .eh_frame is judged alone
# expect: note a shared object: not executed from its entry
# expect: note explored 5 functions with made-up inputs
    .globl f
    .type f, @function
f:  .cfi_startproc
    sub $8, %rsp
    .cfi_def_cfa_offset 16
    call a@PLT
    call b@PLT
    call c@PLT
    add $8, %rsp
    .cfi_def_cfa_offset 8
    ret
    .cfi_endproc
    .size f, . - f
    .data
    .irp word, 0x1000, 0x1004, 0x1008, 0x100c
    .quad \word
    .endr
