# A return address in another register.
# show: callers
#
# case: f0
# target: s390x
# with holder: 16
# expect: 0x1000..0x1100 cfa=r15+160 ra=f0 fp=same
# expect: caller: cfa sp+160 ra r16 sp sp fp sp+512
#
# case: rax
# target: amd64
# with holder: 0
# expect: 0x1000..0x1100 cfa=rsp+8 ra=rax fp=same
# expect: caller: cfa sp+8 ra r0 sp sp+8 fp sp+512
#
# case: x9
# target: aarch64
# with holder: 9
# expect: 0x1000..0x1100 cfa=sp ra=x9 fp=same
# expect: caller: cfa sp ra r9 sp sp fp sp+512
    .include "cfi.inc"
    simple
    register RA, {holder}
    done
