# The program counter reads as such, under the ABI's register number: FP is the PC and 3.
# show: callers after-calls
#
# case: amd64
# target: amd64
# expect: 0x1000..0x1010 cfa=rsp+8 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+8 ra [sp+16] sp sp+8 fp r3
# expect: caller: cfa sp+8 ra [sp+16] sp sp+8 fp r4
#
# case: aarch64
# target: aarch64
# expect: 0x1000..0x1010 cfa=sp ra=[cfa+8] fp=expression
# expect: caller: cfa sp ra [sp+8] sp sp fp r3
# expect: caller: cfa sp ra [sp+8] sp sp fp r4
#
# case: aarch64be
# target: aarch64be
# expect: 0x1000..0x1010 cfa=sp ra=[cfa+8] fp=expression
# expect: caller: cfa sp ra [sp+8] sp sp fp r3
# expect: caller: cfa sp ra [sp+8] sp sp fp r4
#
# case: s390x
# target: s390x
# expect: 0x1000..0x1010 cfa=r15+160 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+160 ra [sp+168] sp sp fp r3
# expect: caller: cfa sp+160 ra [sp+168] sp sp fp r4
    .include "cfi.inc"
    eh_frame
    cie
    initial
    done
    fde 0x1000, 0x10
    offset_extended_sf RA, -1
    val_expression FP
    bregx PC, 3
    value
    done
