# A stack of a made-up address makes no error, and hides none after it: OCaml 5's
# `caml_start_program` switches to another stack and back.
# check: explore
#
# case: right
# with row: 16
# expect: undecided, 6 of 8 reached
# expect: undecided unconfirmed-state at .text+0x0..0x17: 2 answers
#
# case: wrong
# with row: 24
# expect: error, 6 of 8 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x14..0x15
# expect: undecided unconfirmed-state at .text+0x0..0x17: 2 answers
    .globl f
f:  .cfi_startproc
    pushq %rbx
    .cfi_def_cfa_offset 16
    .cfi_offset %rbx, -16
    movq %rdi, %rbx
    movq %rsp, 8(%rbx)
    movq (%rbx), %rsp
    call g
    movq 8(%rbx), %rsp
    .cfi_def_cfa_offset {row}
    nop
    .cfi_def_cfa_offset 16
    popq %rbx
    .cfi_def_cfa_offset 8
    ret
    .cfi_endproc
