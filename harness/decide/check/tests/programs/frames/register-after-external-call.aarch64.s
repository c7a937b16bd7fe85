# The return address is in a register that a function of another file need not keep: undecided
# after the call. In one that it keeps the row is right.
# check: explore
#
# case: temporary
# with kept: x9
# expect: undecided, 4 of 4 reached
# expect: undecided register-after-call at .text+0x0..0x10: 2 answers
#
# case: preserved
# with kept: x19
# expect: clean, 4 of 4 reached
    .globl f
    .type f, %function
f:  .cfi_startproc
    mov {kept}, x30
    .cfi_register x30, {kept}
    bl elsewhere
    mov x0, #0
    ret {kept}
    .cfi_endproc
    .size f, .-f
