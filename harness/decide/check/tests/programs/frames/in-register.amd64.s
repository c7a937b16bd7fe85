# A register that a row reads is followed instruction by instruction: it has the CFA, the return
# address or FP, and is overwritten for one instruction.
# check: explore
#
# case: overwritten
# with overwritten: negq %r10
# expect: error, 12 of 12 reached
# expect: error eh-frame/fp-matches-truth at .text+0x21..0x24
# expect: error eh-frame/ra-matches-truth at .text+0x7..0xa
# expect: error eh-frame/ra-matches-truth at .text+0x14..0x18
#
# case: another is
# with overwritten: negq %r11
# expect: clean, 12 of 12 reached
    .globl f
f:  .cfi_startproc
    movq %rsp, %r10
    .cfi_def_cfa %r10, 8
    nop
    {overwritten}
    movq %rsp, %r10
    nop
    ret
    .cfi_endproc
    .globl g
g:  .cfi_startproc
    movq (%rsp), %r10
    .cfi_register %rip, %r10
    nop
    {overwritten}
    movq (%rsp), %r10
    nop
    ret
    .cfi_endproc
    .globl h
h:  .cfi_startproc
    movq %rbp, %r10
    .cfi_register %rbp, %r10
    nop
    {overwritten}
    movq %rbp, %r10
    nop
    ret
    .cfi_endproc
