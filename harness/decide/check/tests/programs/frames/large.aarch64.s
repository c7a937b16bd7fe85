# The slots of a frame over 64 KiB are next to SP; the return address there is still signed
# after `xpaclri`, as gcc emits it before `_mcount`.
# check: explore
#
# case: right
# with stripped:
# expect: clean, 13 of 13 reached
#
# case: as if it had been stripped
# with stripped: .cfi_negate_ra_state
# expect: error, 13 of 13 reached
# expect: error eh-frame/signed-matches-truth at .text+0x18..0x20
    .globl f
f:  .cfi_startproc
    paciasp
    .cfi_negate_ra_state
    sub sp, sp, 32
    .cfi_def_cfa_offset 32
    sub sp, sp, 65536
    .cfi_def_cfa_offset 65568
    stp x29, x30, [sp]
    .cfi_offset 29, -65568
    .cfi_offset 30, -65560
    mov x29, sp
    xpaclri
    {stripped}
    mov x0, x30
    bl _mcount
    {stripped}
    ldp x29, x30, [sp]
    .cfi_restore 29
    .cfi_restore 30
    add sp, sp, 32
    .cfi_def_cfa_offset 65536
    add sp, sp, 65536
    .cfi_def_cfa_offset 0
    autiasp
    .cfi_negate_ra_state
    ret
    .cfi_endproc
