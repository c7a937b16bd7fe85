# A return by another register than the link register is a return.
# check: explore
#
# case: ret
# with jump: ret
# with row: .cfi_register x30, x9
# expect: clean, 3 of 3 reached
#
# case: ret, without the row
# with jump: ret
# with row:
# expect: error, 3 of 3 reached
# expect: error eh-frame/ra-matches-truth at .text+0x8..0x10
#
# case: br
# with jump: br
# with row: .cfi_register x30, x9
# expect: clean, 3 of 3 reached
#
# case: br, without the row
# with jump: br
# with row:
# expect: error, 3 of 3 reached
# expect: error eh-frame/ra-matches-truth at .text+0x8..0x10
    .globl f
f:  .cfi_startproc
    mov x9, x30
    {row}
    mov x30, #0
    nop
    {jump} x9
    .cfi_endproc
