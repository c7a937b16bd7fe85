# A row of `.eh_frame` with its own rule for the caller's SP gives a right caller whatever it calls
# the CFA, as those of GCC's `__morestack` do: a note. A wrong SP, return address or FP is an error.
# check: explore
#
# case: another CFA
# with cfa: 16
# with sp: 8
# with ra: 0
# with fp: .cfi_same_value rbp
# expect: clean, 5 of 5 reached
# expect: info eh-frame/cfa-matches-truth at .text+0x1..0x8
#
# case: another SP
# with cfa: 16
# with sp: 16
# with ra: 0
# with fp: .cfi_same_value rbp
# expect: error, 5 of 5 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x1..0x8
#
# case: another return address
# with cfa: 16
# with sp: 8
# with ra: 8
# with fp: .cfi_same_value rbp
# expect: error, 5 of 5 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x1..0x8
#
# case: another FP
# with cfa: 16
# with sp: 8
# with ra: 0
# with fp: .cfi_escape 0x10, 0x06, 0x02, 0x77, 0
# expect: error, 5 of 5 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x1..0x8
    .type inner, @function
inner: .cfi_startproc
    ret
    .cfi_endproc
    .size inner, . - inner
    .globl f
    .type f, @function
f:  .cfi_startproc
    # CFA: the word at rsp+16; SP: rsp+8; return address: the word at rsp.
    .cfi_escape 0x0f, 0x03, 0x77, {cfa}, 0x06
    .cfi_escape 0x16, 0x07, 0x02, 0x77, {sp}
    .cfi_escape 0x10, 0x10, 0x02, 0x77, {ra}
    {fp}
    call inner
    nop
    ret
    .cfi_endproc
    .size f, . - f
    .globl g
    .type g, @function
g:  .cfi_startproc
    call f
    ret
    .cfi_endproc
    .size g, . - g
