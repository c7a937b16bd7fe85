# DW_CFA_GNU_args_size changes no rule.
# expect: 0x1000..0x1001 cfa=rsp+8 ra=[cfa-8] fp=same
# expect: 0x1001..0x1100 cfa=rsp+8 ra=[cfa-8] fp=same
    .include "cfi.inc"
    simple
    advance 1
    args_size 0x20
    done
