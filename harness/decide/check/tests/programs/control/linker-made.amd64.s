# What the linker made is entered from code without a table, as in LLVM's libraries for s390x:
# the linker wrote a table for the code that it made, beside that of one function.
# check: explore
# link: -shared
# expect: clean, 9 of 9 reached
one: .cfi_startproc
    ret
    .cfi_endproc
    .globl one
f:  call g@PLT
    call h@PLT
    ret
