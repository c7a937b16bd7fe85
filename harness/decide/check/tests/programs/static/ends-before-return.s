# A function whose `.cfi_endproc` stands before its last instruction: control reaches code that no
# table describes, in every build. A part that ends in a return is omitted on purpose.
# check: static
#
# case: amd64
# target: amd64
# with first: nop
# with last: ret
# expect: error, not executed
# expect: error eh-frame/range-lost at .text+0x1..0x2
# expect: undecided nothing-judged
#
# case: aarch64
# target: aarch64
# also: aarch64be
# with first: nop
# with last: ret
# expect: error, not executed
# expect: error eh-frame/range-lost at .text+0x4..0x8
# expect: undecided nothing-judged
#
# case: s390x
# target: s390x
# with first: nopr
# with last: br %r14
# expect: error, not executed
# expect: error eh-frame/range-lost at .text+0x2..0x4
# expect: undecided nothing-judged
#
# case: amd64, returns before
# target: amd64
# also: aarch64
# with first: ret
# with last: ret
# expect: undecided, not executed
# expect: undecided nothing-judged
#
# case: s390x, returns before
# target: s390x
# with first: br %r14
# with last: br %r14
# expect: undecided, not executed
# expect: undecided nothing-judged
    .type f, %function
f:  .cfi_startproc
    {first}
    .cfi_endproc
    {last}
    .size f, . - f
