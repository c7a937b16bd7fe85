# A stack of a made-up address makes no error, and hides none after it: OCaml 5's
# `caml_start_program` switches to another stack and back.
# check: explore
#
# case: right
# with row: 160
# expect: undecided, 7 of 9 reached
# expect: undecided unconfirmed-state at .text+0x0..0x2e: 2 answers
#
# case: wrong
# with row: 168
# expect: error, 7 of 9 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x22..0x26
# expect: undecided unconfirmed-state at .text+0x0..0x2e: 2 answers
    .globl f
f:  .cfi_startproc
    stmg %r12, %r15, 96(%r15)
    .cfi_offset 12, -64
    .cfi_offset 14, -48
    .cfi_offset 15, -40
    lgr %r12, %r2
    stg %r15, 8(%r12)
    lg %r15, 0(%r12)
    brasl %r14, g
    lg %r15, 8(%r12)
    .cfi_def_cfa_offset {row}
    lghi %r2, 0
    .cfi_def_cfa_offset 160
    lmg %r12, %r14, 96(%r15)
    .cfi_restore 14
    .cfi_restore 12
    br %r14
    .cfi_endproc
