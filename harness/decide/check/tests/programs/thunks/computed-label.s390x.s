# A jump to a label whose address the function computes is followed, out of line too.
# check: explore
#
# case: by br
# with jump: br %r1
# with offset: 176
# expect: clean, 5 of 5 reached
#
# case: by br, wrong
# with jump: br %r1
# with offset: 184
# expect: error, 5 of 5 reached
# expect: error eh-frame/cfa-matches-truth at .text+0xc..0x10
#
# case: by exrl
# with jump: exrl %r0, 3f; j .; 3: br %r1
# with offset: 176
# expect: clean, 5 of 5 reached
#
# case: by exrl, wrong
# with jump: exrl %r0, 3f; j .; 3: br %r1
# with offset: 184
# expect: error, 5 of 5 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x16..0x1a
    .globl f
f:  .cfi_startproc
    aghi %r15, -16
    .cfi_adjust_cfa_offset 16
    larl %r1, 2f
    {jump}
2:  .cfi_def_cfa_offset {offset}
    aghi %r15, 16
    .cfi_def_cfa_offset 160
    br %r14
    .cfi_endproc
