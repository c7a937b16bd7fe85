# A slot that is written over by its place in the frame has the value no longer: the return
# address is moved to a register and zero written in its place.
# check: explore
# link: -shared
#
# case: right
# with row:
# expect: clean, 4 of 4 reached
#
# case: wrong
# with row: .cfi_offset rip, -8
# expect: error, 4 of 4 reached
# expect: error eh-frame/ra-matches-truth at 0x100c..0x1011
    .globl f
    .type f, @function
f:  .cfi_startproc
    mov (%rsp), %rcx
    .cfi_register rip, rcx
    movq $0, (%rsp)
    {row}
    nop
    mov %rcx, (%rsp)
    .cfi_offset rip, -8
    ret
    .cfi_endproc
