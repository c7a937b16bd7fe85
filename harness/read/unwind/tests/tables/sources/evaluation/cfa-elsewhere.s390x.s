# A CFA elsewhere is the ABI's where the rule for SP is counted from it.
# show: callers
# expect: 0x1000..0x1100 cfa=r15 ra=same fp=same sp=cfa+0
# expect: caller: cfa sp+160 ra r14 sp sp fp sp+512
    .include "cfi.inc"
    simple
    def_cfa 15, 0
    val_offset 15, 0
    done
