# A restore gives the rule of the CIE, or none if the CIE has none.
# expect: 0x1000..0x1001 cfa=rsp+8 ra=[cfa-8] fp=same
# expect: 0x1001..0x1002 cfa=rsp+8 ra=[cfa-24] fp=[cfa-16]
# expect: 0x1002..0x1100 cfa=rsp+8 ra=[cfa-8] fp=same
    .include "cfi.inc"
    simple
    advance 1
    offset_extended 16, 3
    offset 6, 2
    advance 1
    restore 16
    restore_extended 6
    done
