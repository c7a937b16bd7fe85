# What becomes of a copy of the return address moves nothing: the frame of
# `__builtin_return_address(0)` with `-mbranch-protection=pac-ret` keeps its signed return
# address.
# check: explore
#
# case: xpaclri
# with copy: xpaclri
# with slot: -8
# expect: clean, 8 of 8 reached
#
# case: xpaclri, wrong
# with copy: xpaclri
# with slot: -16
# expect: error, 8 of 8 reached
# expect: error eh-frame/ra-matches-truth at .text+0x8..0x18
#
# case: xpaci x30
# with copy: xpaci x30
# with slot: -8
# expect: clean, 8 of 8 reached
#
# case: xpaci x30, wrong
# with copy: xpaci x30
# with slot: -16
# expect: error, 8 of 8 reached
# expect: error eh-frame/ra-matches-truth at .text+0x8..0x18
#
# case: autia x30, sp
# with copy: autia x30, sp
# with slot: -8
# expect: clean, 8 of 8 reached
#
# case: autia x30, sp, wrong
# with copy: autia x30, sp
# with slot: -16
# expect: error, 8 of 8 reached
# expect: error eh-frame/ra-matches-truth at .text+0x8..0x18
#
# case: xpaclri; pacia x30, x1
# with copy: xpaclri; pacia x30, x1
# with slot: -8
# expect: clean, 9 of 9 reached
#
# case: xpaclri; pacia x30, x1, wrong
# with copy: xpaclri; pacia x30, x1
# with slot: -16
# expect: error, 9 of 9 reached
# expect: error eh-frame/ra-matches-truth at .text+0x8..0x1c
#
# case: pacib x30, x1
# with copy: pacib x30, x1
# with slot: -8
# expect: clean, 8 of 8 reached
#
# case: pacib x30, x1, wrong
# with copy: pacib x30, x1
# with slot: -16
# expect: error, 8 of 8 reached
# expect: error eh-frame/ra-matches-truth at .text+0x8..0x18
    .arch armv8.3-a
    .globl f
f:  .cfi_startproc
    paciasp
    .cfi_negate_ra_state
    stp x29, x30, [sp, #-16]!
    .cfi_def_cfa_offset 16
    .cfi_offset 29, -16
    .cfi_offset 30, {slot}
    {copy}
    mov x29, sp
    mov x0, x30
    ldp x29, x30, [sp], #16
    .cfi_restore 30
    .cfi_restore 29
    .cfi_def_cfa_offset 0
    autiasp
    .cfi_negate_ra_state
    ret
    .cfi_endproc
