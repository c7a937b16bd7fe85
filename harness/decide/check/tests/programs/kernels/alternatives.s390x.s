# A branch that a facility of the machine replaces by a no-op, so that control continues after it.
# The replacement is in a section that no table describes.
# check: explore
# with depth: 320
#
# case: right
# expect: clean, 5 of 5 reached
#
# case: wrong
# with depth: 352
# expect: error, 5 of 5 reached
# expect: error eh-frame/cfa-matches-truth at .text+0xa..0xe
    .globl f
    .type f, @function
f:  .cfi_startproc
    aghi %r15, -160
    .cfi_def_cfa_offset 320
1:  jg 5f
2:  .cfi_def_cfa_offset {depth}
    aghi %r2, 1
    .cfi_def_cfa_offset 320
5:  aghi %r15, 160
    .cfi_def_cfa_offset 160
    br %r14
    .cfi_endproc
    .size f, .-f
    .section .altinstructions, "a"
    .long 1b - ., 6f - .
    .long 0x30000082
    .byte 2b - 1b
    .section .altinstr_replacement, "ax"
6:  brcl 0, 0
