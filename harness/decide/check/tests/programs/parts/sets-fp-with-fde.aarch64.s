# A shared part of prologues sets FP for its caller: while it runs, FP of the caller is the one that
# its return leaves. An executed program shows that; where nothing does, FP is undecided.
# check: execute
#
# case: executed
# link: -e start
# with start: start
# with rule: .cfi_same_value x29
# expect: clean, exited 0
#
# case: executed, wrong
# link: -e start
# with start: start
# with rule: .cfi_offset x29, 8
# expect: error, exited 0
# expect: error eh-frame/fp-matches-truth at 0x400080..0x400088
#
# case: explored
# check: explore
# with start: g
# with rule: .cfi_same_value x29
# expect: undecided, 10 of 14 reached
# expect: undecided unknown-fp at .text+0x0..0x10: 2 answers
    .type prologue, %function
prologue:
    .cfi_startproc
    stp x28, x27, [sp, #16]
    mov x29, sp
    {rule}
    stp x20, x19, [sp, #32]
    ret
    .cfi_endproc
    .size prologue, .-prologue
    .globl f
    .type f, %function
f:  .cfi_startproc
    stp x29, x30, [sp, #-48]!
    .cfi_def_cfa_offset 48
    .cfi_offset x30, -40
    .cfi_offset x29, -48
    bl prologue
    .cfi_def_cfa x29, 48
    .cfi_offset x19, -8
    .cfi_offset x20, -16
    .cfi_offset x27, -24
    .cfi_offset x28, -32
    nop
    .cfi_def_cfa sp, 48
    ldp x20, x19, [sp, #32]
    ldp x28, x27, [sp, #16]
    ldp x29, x30, [sp], #48
    .cfi_def_cfa_offset 0
    .cfi_restore x19
    .cfi_restore x20
    .cfi_restore x27
    .cfi_restore x28
    .cfi_restore x29
    .cfi_restore x30
    ret
    .cfi_endproc
    .size f, .-f
    .globl {start}
{start}:
    .cfi_startproc
    .cfi_undefined x30
    bl f
    mov x8, #93
    mov x0, #0
    svc #0
    .cfi_endproc
