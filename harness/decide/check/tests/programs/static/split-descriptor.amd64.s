# Adjacent descriptors that cover the range of one descriptor of the other table mean the same;
# a range that lost code does not: `.sframe` covers some of the four instructions of `f`,
# `.eh_frame` all of them or not.
# check: execute
#
# case: 4 instructions, whole
# with code: .cfi_startproc; nop; nop; nop; ret; .cfi_endproc
# with bytes: 4
# expect: clean, not executed
#
# case: 4 instructions, split
# with code: .cfi_startproc; nop; nop; .cfi_endproc; .cfi_startproc; nop; ret; .cfi_endproc
# with bytes: 4
# expect: clean, not executed
#
# case: 4 instructions, apart
# with code: .cfi_startproc; nop; nop; .cfi_endproc; nop; .cfi_startproc; ret; .cfi_endproc
# with bytes: 4
# expect: error, not executed
# expect: error cfi/range-differs at .text+0x0..0x4
#
# case: 3 instructions, whole
# with code: .cfi_startproc; nop; nop; nop; ret; .cfi_endproc
# with bytes: 3
# expect: error, not executed
# expect: error cfi/range-differs at .text+0x0..0x3
#
# case: 3 instructions, split
# with code: .cfi_startproc; nop; nop; .cfi_endproc; .cfi_startproc; nop; ret; .cfi_endproc
# with bytes: 3
# expect: error, not executed
# expect: error cfi/range-differs at .text+0x0..0x3
#
# case: 0 instructions, whole
# with code: .cfi_startproc; nop; nop; nop; ret; .cfi_endproc
# with bytes: 0
# expect: error, not executed
# expect: error cfi/range-differs at .text+0x0..0x0
# expect: warning fde/empty-function at .text+0x0..0x0
# expect: undecided nothing-judged
#
# case: 4 instructions, empty
# with code: .cfi_startproc; .cfi_endproc; nop; nop; nop; ret
# with bytes: 4
# expect: error, not executed
# expect: error cfi/range-differs at .text+0x0..0x4
# expect: undecided nothing-judged
#
# case: 0 instructions, empty
# with code: .cfi_startproc; .cfi_endproc; nop; nop; nop; ret
# with bytes: 0
# expect: undecided, not executed
# expect: warning eh-frame/empty at .text+0x0..0x0
# expect: warning fde/empty-function at .text+0x0..0x0
# expect: undecided nothing-judged
    .type f, %function
f:
    {code}
    .size f, .-f
    .section .sframe, "a", %0x6ffffff4
    .balign 8
    .short 0xdee2
    .byte 2, 4, 3, 0, -8, 0
    .long 1, 1, 3, 0, 20
    .long f-., {bytes}, 0, 1
    .byte 0, 0
    .short 0
    .byte 0, 3, 8
