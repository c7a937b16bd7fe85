# Rows of a compiled function: advances count instructions of four bytes.
# also: aarch64be
# expect: 0x1000..0x1004 cfa=sp ra=same fp=same
# expect: 0x1004..0x1028 cfa=sp+32 ra=[cfa-24] fp=[cfa-32]
# expect: 0x1028..0x1100 cfa=sp ra=same fp=same
    .include "cfi.inc"
    simple
    advance 1
    def_cfa_offset 32
    offset 29, 4
    offset 30, 3
    advance 9
    restore 30
    restore 29
    def_cfa_offset 0
    done
