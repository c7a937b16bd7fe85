# In a stripped file a jump with the frame of the entry, to the code after the FDE, is a tail call of a
# function that has none; one with a word on the stack stays in its function, whose FDE ends early.
# check: static
# link: -s -e 0x401000
#
# case: a tail call
# with restore: popq %rbx; .cfi_def_cfa_offset 8
# expect: undecided, not executed
# expect: undecided nothing-judged
#
# case: a word on the stack
# with restore: nop
# expect: error, not executed
# expect: error eh-frame/range-lost at 0x401009..0x40100c
# expect: undecided nothing-judged
f:  .cfi_startproc
    pushq %rbx
    .cfi_def_cfa_offset 16
    .cfi_offset %rbx, -16
    call g
    {restore}
    jmp g
    .cfi_endproc
g:  xorl %eax, %eax
    ret
