# A length of zero ends `.eh_frame`: readers that walk it see no entry after that, and linkers
# refuse such a section.
# check: static
# show: messages
#
# case: at the end
# with between:
# with end: .long 0
# expect: undecided, not executed
# expect: undecided nothing-judged
#
# case: several at the end
# with between:
# with end: .long 0, 0, 0
# expect: undecided, not executed
# expect: undecided nothing-judged
#
# case: before the last FDE
# with between: .long 0
# with end: .long 0
# expect: error, not executed
# expect: error eh-frame/terminator : a zero length at 0x2c ends the section, and an entry at 0x30 follows
# expect: undecided nothing-judged
f:  .long 0
    .section .eh_frame, "a", @progbits
cie: .long 0x14, 0
    .byte 1, 'z', 'R', 0, 1, 0x78, 0x10, 1, 0x1b, 0x0c, 7, 8, 0x90, 1, 0, 0
    .long 0x10, 0x1c, f - ., 2, 0
    {between}
    .long 0x10
1:  .long 1b - cie, f + 2 - ., 2, 0
    {end}
