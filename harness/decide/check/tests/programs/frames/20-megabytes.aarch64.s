# A frame whose size two instructions name is explored, as any that one names.
# check: explore
#
# case: right
# with frame: 20000032
# expect: clean, 7 of 7 reached
#
# case: wrong
# with frame: 20000048
# expect: error, 7 of 7 reached
# expect: error eh-frame/cfa-matches-truth at .text+0xc..0x1c
    .globl f
f:  .cfi_startproc
    mov x12, #0x2d20
    movk x12, #0x131, lsl #16
    sub sp, sp, x12
    .cfi_def_cfa_offset {frame}
    nop
    mov x12, #0x2d20
    movk x12, #0x131, lsl #16
    add sp, sp, x12
    .cfi_def_cfa_offset 0
    ret
    .cfi_endproc
