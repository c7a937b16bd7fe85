# FP that cannot be found is no fault: undefined, or in a register whose value is unknown.
# show: callers
#
# case: undefined on amd64
# target: amd64
# with rule: undefined FP
# expect: 0x1000..0x1100 cfa=rsp+8 ra=[cfa-8] fp=undefined
# expect: caller: cfa sp+8 ra [sp] sp sp+8 fp unknown
#
# case: unknown on amd64
# target: amd64
# with rule:
# registers: 6=none
# expect: 0x1000..0x1100 cfa=rsp+8 ra=[cfa-8] fp=same
# expect: caller: cfa sp+8 ra [sp] sp sp+8 fp unknown
#
# case: undefined on aarch64
# target: aarch64
# with rule: undefined FP
# expect: 0x1000..0x1100 cfa=sp ra=same fp=undefined
# expect: caller: cfa sp ra r30 sp sp fp unknown
#
# case: unknown on aarch64
# target: aarch64
# with rule:
# registers: 29=none
# expect: 0x1000..0x1100 cfa=sp ra=same fp=same
# expect: caller: cfa sp ra r30 sp sp fp unknown
#
# case: undefined on aarch64be
# target: aarch64be
# with rule: undefined FP
# expect: 0x1000..0x1100 cfa=sp ra=same fp=undefined
# expect: caller: cfa sp ra r30 sp sp fp unknown
#
# case: unknown on aarch64be
# target: aarch64be
# with rule:
# registers: 29=none
# expect: 0x1000..0x1100 cfa=sp ra=same fp=same
# expect: caller: cfa sp ra r30 sp sp fp unknown
#
# case: undefined on s390x
# target: s390x
# with rule: undefined FP
# expect: 0x1000..0x1100 cfa=r15+160 ra=same fp=undefined
# expect: caller: cfa sp+160 ra r14 sp sp fp unknown
#
# case: unknown on s390x
# target: s390x
# with rule:
# registers: 11=none
# expect: 0x1000..0x1100 cfa=r15+160 ra=same fp=same
# expect: caller: cfa sp+160 ra r14 sp sp fp unknown
    .include "cfi.inc"
    simple
    {rule}
    done
