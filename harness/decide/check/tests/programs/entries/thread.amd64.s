# The code where a new thread begins, with words on the stack that the code before put there, is
# clean if its first row denies a caller.
# check: explore
#
# case: denies a caller
# with first: .cfi_undefined %rip
# expect: undecided, 1 of 6 reached
# expect: undecided unreached
#
# case: does not
# with first:
# expect: undecided, 1 of 6 reached
# expect: undecided unreached
# expect: undecided lowered-stack at .text+0x1..0x8: 3 answers
    .globl g
    .type g, @function
g:  .cfi_startproc
    ret
    .cfi_endproc
    .cfi_startproc
    {first}
    xorl %ebp, %ebp
    popq %rax
    popq %rdi
    call *%rax
    hlt
    .cfi_endproc
