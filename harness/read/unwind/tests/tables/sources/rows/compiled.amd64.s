# Rows of a compiled function.
# expect: 0x1000..0x1001 cfa=rsp+8 ra=[cfa-8] fp=same
# expect: 0x1001..0x1004 cfa=rsp+16 ra=[cfa-8] fp=[cfa-16]
# expect: 0x1004..0x1084 cfa=rbp+16 ra=[cfa-8] fp=[cfa-16]
# expect: 0x1084..0x1100 cfa=rsp+8 ra=[cfa-8] fp=same
    .include "cfi.inc"
    simple
    advance 1
    def_cfa_offset 16
    offset 6, 2
    advance 3
    def_cfa_register 6
    advance1 0x80
    def_cfa 7, 8
    restore 6
    done
