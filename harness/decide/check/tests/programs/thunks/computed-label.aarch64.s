# A jump to a label whose address the function computes is followed.
# check: explore
#
# case: br
# with jump: br
# with offset: 16
# expect: clean, 5 of 5 reached
#
# case: br, wrong
# with jump: br
# with offset: 24
# expect: error, 5 of 5 reached
# expect: error eh-frame/cfa-matches-truth at .text+0xc..0x10
#
# case: ret
# with jump: ret
# with offset: 16
# expect: clean, 5 of 5 reached
#
# case: ret, wrong
# with jump: ret
# with offset: 24
# expect: error, 5 of 5 reached
# expect: error eh-frame/cfa-matches-truth at .text+0xc..0x10
    .globl f
f:  .cfi_startproc
    sub sp, sp, #16
    .cfi_adjust_cfa_offset 16
    adr x1, 2f
    {jump} x1
2:  .cfi_def_cfa_offset {offset}
    add sp, sp, #16
    .cfi_def_cfa_offset 0
    ret
    .cfi_endproc
