# Slots that the program overwrites, in both directions: the row has the right slot, or one that held
# the value by chance.
# also: aarch64be
# link:
# show: functions
#
# case: a saved FP that the program wrote over accuses nobody: the caller gets FP 7
# with size: 16
# with slot: 0
# with code: mov x29, #7; str x29, [sp]
# with restores: ldp x29, x30, [sp], #16
# expect: undecided, exited 0
# expect: undecided overwritten-slot at 0x4000a0..0x4000b4: 2 answers
#
# case: the true FP is in x9 and is restored from there, so that the slot is the wrong one
# with size: 16
# with slot: 0
# with code: mov x9, x29; mov x29, #7; str x29, [sp]; mov x29, x9; ldr x30, [sp, #8]
# with restores: add sp, sp, #16
# expect: error, exited 0
# expect: error eh-frame/fp-matches-truth at 0x4000b0..0x4000bc in _start+0x28
#
# case: a slot that never held the value is the wrong one, whatever is written there later
# with size: 32
# with slot: 16
# with code: str xzr, [sp, #16]; mov x29, #7; str x29, [sp, #16]
# with restores: ldp x29, x30, [sp], #32
# expect: error, exited 0
# expect: error eh-frame/fp-matches-truth at 0x4000a4..0x4000b4 in _start+0x28
#
# case: a row that still applies after the restore, when the slot is used again, is wrong
# with size: 16
# with slot: 0
# with code: mov x29, #7; ldp x29, x30, [sp]; str xzr, [sp]
# with restores: add sp, sp, #16
# expect: error, exited 0
# expect: error eh-frame/fp-matches-truth at 0x4000b0..0x4000b4 in _start+0x28
    .globl _start
_start: .cfi_startproc
    .cfi_undefined x30
    mov x29, #0
    bl outer
    mov x0, #0
    mov x8, #93
    svc #0
    .cfi_endproc

outer: .cfi_startproc
    stp x29, x30, [sp, #-16]!
    .cfi_def_cfa_offset 16
    .cfi_offset x29, -16
    .cfi_offset x30, -8
    mov x29, sp
    bl victim
    ldp x29, x30, [sp], #16
    .cfi_def_cfa_offset 0
    .cfi_restore x29
    .cfi_restore x30
    ret
    .cfi_endproc

victim: .cfi_startproc
    stp x29, x30, [sp, #-{size}]!
    .cfi_def_cfa_offset {size}
    .cfi_offset x29, {slot} - {size}
    .cfi_offset x30, 8 - {size}
    {code}
    {restores}
    .cfi_def_cfa_offset 0
    .cfi_restore x29
    .cfi_restore x30
    ret
    .cfi_endproc
