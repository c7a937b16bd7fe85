# `.sframe` restores SP and FP alone, so a row that leaves the return address in x30 ends a
# chain there.
# show: callers registers
#
# case: innermost
# expect: 0x1000..0x1020 cfa=sp ra=same fp=same
# expect: caller: cfa sp ra r30 sp sp fp sp+512
# expect: restored r29=sp+512 r31=sp
#
# case: further out
# registers: 30=none
# expect: 0x1000..0x1020 cfa=sp ra=same fp=same
# expect: fault: the value of reg30 is not known in this frame
    .include "cfi.inc"
    .section .made.sframe, "a"
    .2byte 0xdee2
    .byte 2, 5, 2, 0, 0, 0
    .4byte 1, 1, 3, 0, 20
    .4byte 0xfe4, 0x20, 0, 1
    .byte 0x0, 0x0, 0, 0
    .byte 0x0, 0x3, 0x0
