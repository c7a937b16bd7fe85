# A function that denies a caller and returns as after a call is undecided; if it does not
# return, it is only unconfirmed.
# check: explore
# show: unreached
#
# case: returns
# with code: nop; ret
# expect: undecided, 0 of 1 reached
# expect: undecided nothing-judged
# expect: undecided may-begin-here at .text+0x0..0x2: 2 answers
# expect: of 1 instructions at .text+0x0..0x2: 1 unconfirmed, 0 unreached
#
# case: does not return
# with code: 1: jmp 1b
# expect: undecided, 0 of 1 reached
# expect: undecided nothing-judged
# expect: of 1 instructions at .text+0x0..0x2: 1 unconfirmed, 0 unreached
    .globl f
    .type f, %function
f:  .cfi_startproc
    .cfi_undefined rip
    {code}
    .cfi_endproc
