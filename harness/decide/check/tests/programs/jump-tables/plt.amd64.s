# The slots of a lazy PLT are one descriptor, into which the words of `.got.plt` point: no jump of a
# slot leads to another slot.
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
