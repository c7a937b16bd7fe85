# The only slot of a PLT is entered by a tail call.
# check: explore
# link: -shared -z lazy
# expect: clean, 7 of 7 reached
    .globl f
    .type f, @function
f:  .cfi_startproc
    xorl %edi, %edi
    jmp a@PLT
    .cfi_endproc
    .size f, . - f
