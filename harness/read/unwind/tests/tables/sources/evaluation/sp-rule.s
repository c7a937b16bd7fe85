# Rules of the stack pointer win over the ABI.
# show: callers
#
# case: AMD64
# target: amd64
# with rule: val_offset_sf 7, -3
# expect: 0x1000..0x1100 cfa=rsp+8 ra=[cfa-8] fp=same sp=cfa+24
# expect: caller: cfa sp+8 ra [sp] sp sp+32 fp sp+512
#
# case: AArch64
# target: aarch64
# with rule: def_cfa_offset 64; val_offset 31, 2
# expect: 0x1000..0x1100 cfa=sp+64 ra=same fp=same sp=cfa-16
# expect: caller: cfa sp+64 ra r30 sp sp+48 fp sp+512
#
# case: undefined
# target: amd64
# with rule: undefined 7
# expect: 0x1000..0x1100 cfa=rsp+8 ra=[cfa-8] fp=same sp=undefined
# expect: fault: the value of reg7 is not known in this frame
    .include "cfi.inc"
    simple
    {rule}
    done
