# A descriptor of discarded code is not reported: the remains of an FDE whose function `ld
# -r` of gold and lld discarded have no relocation, and 0 in the start field.
# check: execute
#
# case: discarded
# with start: 0
# expect: undecided, not executed
# expect: undecided nothing-judged
#
# case: of what is no code
# with start: 4
# expect: error, not executed
# expect: error eh-frame/range-in-code at .eh_frame+0x38..0x3e
# expect: undecided nothing-judged
f:  nop
    ret
    .section .eh_frame, "a", @progbits
    .long 0x14, 0
    .byte 1, 'z', 'R', 0, 1, 0x78, 0x10, 1, 0x1b, 0x0c, 7, 8, 0x90, 1, 0, 0
    .long 0x10, 0x1c, f - ., 2, 0
    .long 0x10, 0x30, {start}, 6, 0
