# The ranges of the FDEs of `f` and `g`, and what the file shows about where the functions end:
# FDEs that reach into others, end too early or cover nothing are found without executing code.
# check: static
# show: messages
# with more:
# with after:
# with advance: 0
# with start: f
#
# case: right
# with f: 3
# with g: 2
# expect: undecided, not executed
# expect: undecided nothing-judged
#
# case: over the start of the next function
# with f: 5
# with g: 2
# expect: error, not executed
# expect: error eh-frame/overlap at .text+0x4..0x5 : the FDE at 0x18 covers .text+0x0..0x5, that at 0x2c .text+0x4..0x6
# expect: undecided nothing-judged
#
# case: over all of the next function
# with f: 6
# with g: 2
# expect: error, not executed
# expect: error eh-frame/overlap at .text+0x4..0x6 : the FDE at 0x18 covers .text+0x0..0x6, that at 0x2c .text+0x4..0x6
# expect: undecided nothing-judged
#
# case: begins in the function before
# with start: f
# with f: 3
# with g: 2
# with more: .long 0x10, 0x44, f + 2 - ., 3, 0
# expect: error, not executed
# expect: error eh-frame/overlap at .text+0x2..0x3 : the FDE at 0x18 covers .text+0x0..0x3, that at 0x40 .text+0x2..0x5
# expect: error eh-frame/overlap at .text+0x4..0x5 : the FDE at 0x40 covers .text+0x2..0x5, that at 0x2c .text+0x4..0x6
# expect: undecided nothing-judged
#
# case: a folded function has two
# with f: 3
# with g: 2
# with more: .long 0x10, 0x44, f - ., 3, 0
# expect: undecided, not executed
# expect: undecided nothing-judged
#
# case: two for one function, with other rows
# with f: 3
# with g: 2
# with more: .long 0x10, 0x44, f - ., 3, 0x100e4100
# expect: error, not executed
# expect: error eh-frame/overlap at .text+0x0..0x3 : the FDE at 0x18 covers .text+0x0..0x3, that at 0x40 .text+0x0..0x3
# expect: undecided nothing-judged
#
# case: before the last return
# with f: 2
# with g: 2
# expect: error, not executed
# expect: error eh-frame/range-lost at .text+0x2..0x3 : the FDE at 0x18 covers .text+0x0..0x2 only: control continues at f+0x2
# expect: undecided nothing-judged
#
# case: inside an instruction
# with f: 1
# with g: 2
# expect: error, not executed
# expect: error eh-frame/range-lost at .text+0x1..0x3 : the FDE at 0x18 covers .text+0x0..0x1 only: it ends inside the instruction at f
# expect: undecided nothing-judged
#
# case: instructions advance past the end
# with f: 1
# with g: 2
# with advance: 0x100e4200
# expect: error, not executed
# expect: error eh-frame/range-lost at .text+0x1..0x2 : the FDE at 0x18 covers .text+0x0..0x1 only: its instructions advance to f+0x2
# expect: undecided nothing-judged
#
# case: covers nothing
# with f: 0
# with g: 2
# expect: undecided, not executed
# expect: warning eh-frame/empty at .text+0x0..0x0 : the FDE at 0x18 covers no code of f
# expect: undecided nothing-judged
#
# case: an empty one beside it
# with f: 3
# with g: 2
# with more: .long 0x10, 0x44, f - ., 0, 0
# expect: undecided, not executed
# expect: warning eh-frame/empty at .text+0x0..0x0 : the FDE at 0x40 covers no code, that at 0x18 describes f
# expect: undecided nothing-judged
#
# case: an empty one at the end
# with f: 3
# with g: 2
# with more: .long 0x10, 0x44, end - ., 0, 0
# expect: undecided, not executed
# expect: undecided nothing-judged
#
# case: another label after it
# with f: 3
# with g: 1
# with after: nop; nop
# expect: error, not executed
# expect: error eh-frame/range-lost at .text+0x5..0x6 : the FDE at 0x2c covers .text+0x4..0x5 only: control continues at g+0x1
# expect: undecided nothing-judged
#
# case: data at the end of the last function
# with f: 3
# with g: 2
# with after: .ascii "some text"; .size g, . - g
# expect: undecided, not executed
# expect: undecided nothing-judged
#
# case: an omitted part, and one that follows it
# with f: 3
# with g: 1
# with after: nop; h: ret; .size g, . - g
# with more: .long 0x10, 0x44, h - ., 1, 0
# expect: undecided, not executed
# expect: undecided nothing-judged
    .type f, @function
f:  xor %eax, %eax
    ret
    .size f, . - f
    .p2align 2
    .type g, @function
g:  nop
    ret
    .size g, . - g
    {after}
end:
    .section .eh_frame, "a", @progbits
    .long 0x14, 0
    .byte 1, 'z', 'R', 0, 1, 0x78, 0x10, 1, 0x1b, 0x0c, 7, 8, 0x90, 1, 0, 0
    .long 0x10, 0x1c, {start} - ., {f}, {advance}
    .long 0x10, 0x30, g - ., {g}, 0
    {more}
