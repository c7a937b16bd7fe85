# The signed state as a constant expression.
# expect: 0x1000..0x1004 cfa=sp ra=same fp=same
# expect: 0x1004..0x1008 cfa=sp ra=same fp=same signed:A
# expect: 0x1008..0x1100 cfa=sp ra=same fp=same
    .include "cfi.inc"
    simple
    advance 1
    val_expression 34
    lit 1
    value
    advance 1
    val_expression 34
    lit 0
    value
    done
