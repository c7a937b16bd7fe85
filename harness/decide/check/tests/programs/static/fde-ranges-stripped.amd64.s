# Without symbols the code itself shows whether an FDE ends too early: where control continues
# after it, or a branch in it leads there, without padding between.
# check: static
# show: messages
# link: -s -e 0x401000
# with more:
# with target: 1f
#
# case: right
# with size: 8
# expect: undecided, not executed
# expect: undecided nothing-judged
#
# case: before the last return
# with size: 7
# expect: error, not executed
# expect: error eh-frame/range-lost at 0x401007..0x401017 : the FDE at 0x18 covers 0x401000..0x401007 only: control continues at .text+0x7
# expect: undecided nothing-judged
#
# case: a branch goes past the end
# with size: 5
# expect: error, not executed
# expect: error eh-frame/range-lost at 0x401005..0x401017 : the FDE at 0x18 covers 0x401000..0x401005 only: .text+0x2 branches to .text+0x5
# expect: undecided nothing-judged
#
# case: assembly omits a part, and continues with another FDE
# with size: 5
# with more: .long 0x10, 0x30, f + 7 - ., 1, 0
# expect: undecided, not executed
# expect: undecided nothing-judged
#
# case: a tail call of the function after the padding
# with size: 8
# with target: g
# expect: undecided, not executed
# expect: undecided nothing-judged
#
# case: after a call that need not return
# with size: 8
# with more: .long 0x10, 0x30, g - ., 6, 0
# expect: undecided, not executed
# expect: undecided nothing-judged
f:  test %edi, %edi
    je {target}
    ret
1:  xor %eax, %eax
    ret
    .p2align 4
g:  nop
    call f
    ret
    .section .eh_frame, "a", @progbits
    .long 0x14, 0
    .byte 1, 'z', 'R', 0, 1, 0x78, 0x10, 1, 0x1b, 0x0c, 7, 8, 0x90, 1, 0, 0
    .long 0x10, 0x1c, f - ., {size}, 0
    {more}
