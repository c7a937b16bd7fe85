# CFA expressions with a simpler form: a slot, where gcc stores the CFA of a function that
# realigned its stack; sums; a sum that needs a constant of 8 bytes; stack operations.
# expect: 0x1000..0x1010 cfa=[rbp-8] ra=[cfa-8] fp=same
# expect: 0x1100..0x1110 cfa=rbp+22 ra=[cfa-8] fp=same
# expect: 0x1200..0x1210 cfa=reg40+4294967296 ra=[cfa-8] fp=same
# expect: 0x1300..0x1310 cfa=rbp+8 ra=[cfa-8] fp=same
    .include "cfi.inc"
    eh_frame
    cie
    initial
    done
    fde 0x1000, 0x10
    def_cfa_expression
    breg 6, -8
    deref
    value
    done
    fde 0x1100, 0x10
    def_cfa_expression
    breg 6, 16
    lit 8
    plus
    consts -4
    plus
    plus_uconst 4
    lit 2
    minus
    value
    done
    fde 0x1200, 0x10
    def_cfa_expression
    bregx 40, 0
    const8u 0x100000000
    plus
    value
    done
    fde 0x1300, 0x10
    def_cfa_expression
    lit 8
    breg 6, 0
    dup
    drop
    over
    rot
    swap
    plus
    swap
    drop
    value
    done
