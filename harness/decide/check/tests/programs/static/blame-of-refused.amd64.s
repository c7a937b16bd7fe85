# An entry that no reader can evaluate because its directives ask for what has no meaning is the
# compiler's; one with a broken encoding is not.
# check: static
# show: blame messages
#
# case: one part of a CFA that is an expression
# with directive: .cfi_escape 0x0f, 0x03, 0x77, 8, 0x06; .cfi_def_cfa_offset 16
# expect: error, not executed
# expect: error cfi/refused at .text+0x0..0x2 by compiler : .eh_frame entry at 0x18 cannot be read: a change of one part of a CFA that is not register and offset
# expect: undecided nothing-judged
#
# case: an expression without an operand
# with directive: .cfi_escape 0x0f, 0x01, 0x22
# expect: error, not executed
# expect: error cfi/refused at .text+0x0..0x2 by compiler : .eh_frame entry at 0x18 cannot be read: an expression that has no meaning here
# expect: undecided nothing-judged
#
# case: an unknown instruction
# with directive: .cfi_escape 0x3f
# expect: error, not executed
# expect: error cfi/refused at .text+0x0..0x2 by eh-frame : .eh_frame entry at 0x18 cannot be read: unknown call frame instruction: 0x3f
# expect: undecided nothing-judged
    .type f, @function
f:  .cfi_startproc
    nop
    {directive}
    ret
    .cfi_endproc
    .size f, . - f
