# A linker moves an instruction into a veneer after the function (GNU ld's --fix-cortex-a53-843419):
# a jump there, and back to the instruction after it, is no part of the function that its FDE lost.
# check: static
# show: messages
# link: -s -e 0x400000 -Ttext=0x400000
#
# case: veneer
# with back: 2b
# expect: undecided, not executed
# expect: undecided nothing-judged
#
# case: elsewhere
# with back: 1b
# expect: error, not executed
# expect: error eh-frame/range-lost at 0x400010..0x400018 : the FDE at 0x14 covers 0x400000..0x400010 only: .text+0x4 branches to .text+0x10
# expect: undecided nothing-judged
    .globl f
f:  .cfi_startproc
    adrp x0, f
    b 3f
2:  nop
1:  ret
    .cfi_endproc
3:  ldr w0, [x0]
    b {back}
