# A return address that the caller stored is not known here: as in the resolver of AArch64's
# dynamic linker, where the procedure linkage table stored it. A row that refers to another
# place than the function loads it from is wrong, and so is one if the function loads none.
# check: explore
# show: assumed
#
# case: handed over
# with place: 8
# with loaded: ldp x17, x30, [sp], #16; .cfi_def_cfa_offset -16
# expect: undecided, 7 of 10 reached
# expect: undecided own-entry-convention at .text+0x0..0x18: 3 answers
# expect: undecided unconfirmed-state at .text+0x0..0x18: 2 answers
# expect: assumed first-row in f
# expect: assumed no-evidence in f+0x18
#
# case: another place
# with place: 16
# with loaded: ldp x17, x30, [sp], #16; .cfi_def_cfa_offset -16
# expect: error, 7 of 10 reached
# expect: error eh-frame/ra-matches-truth at .text+0x0..0xc
# expect: undecided unconfirmed-state at .text+0x0..0x18: 2 answers
# expect: assumed no-evidence in f+0x18
#
# case: loads none
# with place: 8
# with loaded: nop
# expect: error, 7 of 9 reached
# expect: error eh-frame/ra-matches-truth at .text+0x0..0xc
# expect: undecided unconfirmed-state at .text+0x0..0x18: 3 answers
# expect: assumed no-evidence in f+0x18
    .globl f
f:  .cfi_startproc
    .cfi_offset x30, {place}
    sub sp, sp, #32
    .cfi_def_cfa_offset 32
    str x0, [sp, #8]
    bl g
    add sp, sp, #32
    .cfi_def_cfa_offset 0
    {loaded}
    br x17
    .cfi_endproc
s:  .cfi_startproc
    str x30, [sp, #-16]!
    .cfi_def_cfa_offset 16
    .cfi_offset x30, -16
    bl f
    ldr x30, [sp], #16
    .cfi_def_cfa_offset 0
    .cfi_restore x30
    ret
    .cfi_endproc
