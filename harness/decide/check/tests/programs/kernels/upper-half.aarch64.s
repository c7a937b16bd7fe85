# An image of the upper half of the address space, where kernels are, is executed and explored there.
# check: explore
# link: -e f -Ttext-segment=0xffff800080000000
# with depth: 16
#
# case: right
# expect: clean, 10 of 10 reached, exited 0
# expect: info eh-frame/outermost at 0xffff8000800000e8..0xffff8000800000fc
#
# case: wrong
# with depth: 32
# expect: error, 10 of 10 reached, exited 0
# expect: error eh-frame/cfa-matches-truth at 0xffff8000800000ec..0xffff800080000100
# expect: info eh-frame/outermost at 0xffff8000800000e8..0xffff8000800000fc
    .globl f
    .type f, %function
f:  .cfi_startproc
    stp x29, x30, [sp, #-16]!
    .cfi_def_cfa_offset {depth}
    .cfi_offset 29, -16
    .cfi_offset 30, -8
    bl g
    mov x0, #0
    mov x8, #93
    svc #0
    ldp x29, x30, [sp], #16
    .cfi_def_cfa_offset 0
    .cfi_restore 29
    .cfi_restore 30
    ret
    .cfi_endproc
    .size f, .-f
    .type g, %function
g:  .cfi_startproc
    adrp x0, word
    ldr x1, [x0, :lo12:word]
    ret
    .cfi_endproc
    .size g, .-g
    .data
word: .xword 5
