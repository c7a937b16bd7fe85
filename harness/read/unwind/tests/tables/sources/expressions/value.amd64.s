# Value expressions with a simpler form: the stack starts with the CFA.
# expect: 0x1000..0x1010 cfa=rsp+8 ra=[cfa-8] fp=[cfa+0]
# expect: 0x1100..0x1110 cfa=rsp+8 ra=[cfa-8] fp=[cfa-24]
# expect: 0x1200..0x1210 cfa=rsp+8 ra=[cfa-8] fp=[rbp]
# expect: 0x1300..0x1310 cfa=rsp+8 ra=[cfa-8] fp=cfa+16
# expect: 0x1400..0x1410 cfa=rsp+8 ra=[cfa-8] fp=rbx-1
# expect: 0x1500..0x1510 cfa=rsp+8 ra=[cfa-8] fp=[cfa-16]
# expect: 0x1600..0x1610 cfa=rsp+8 ra=[cfa-8] fp=[rbx+8]
    .include "cfi.inc"
    eh_frame
    cie
    initial
    done
    fde 0x1000, 0x10
    expression 6
    value
    done
    fde 0x1100, 0x10
    expression 6
    lit 24
    minus
    value
    done
    fde 0x1200, 0x10
    expression 6
    breg 6, 0
    value
    done
    fde 0x1300, 0x10
    val_expression 6
    plus_uconst 16
    value
    done
    fde 0x1400, 0x10
    val_expression 6
    breg 3, -1
    value
    done
    fde 0x1500, 0x10
    val_expression 6
    lit 16
    minus
    deref
    value
    done
    fde 0x1600, 0x10
    val_expression 6
    breg 3, 8
    deref
    value
    done
