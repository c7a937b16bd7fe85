# Other expressions stay expressions; a load of fewer than eight bytes is not a slot.
# expect: 0x1000..0x1010 cfa=expression ra=[cfa-8] fp=same
# expect: 0x1100..0x1110 cfa=expression ra=[cfa-8] fp=same
# expect: 0x1200..0x1210 cfa=expression ra=[cfa-8] fp=same
# expect: 0x1300..0x1310 cfa=expression ra=[cfa-8] fp=same
# expect: 0x1400..0x1410 cfa=expression ra=[cfa-8] fp=same
# expect: 0x1500..0x1510 cfa=rsp+8 ra=[cfa-8] fp=expression
# expect: 0x1600..0x1610 cfa=rsp+8 ra=[cfa-8] fp=expression
    .include "cfi.inc"
    eh_frame
    cie
    initial
    done
    fde 0x1000, 0x10
    def_cfa_expression
    breg 6, 0
    deref
    deref
    value
    done
    fde 0x1100, 0x10
    def_cfa_expression
    breg 6, 0
    deref
    lit 8
    plus
    value
    done
    fde 0x1200, 0x10
    def_cfa_expression
    breg 6, 0
    breg 3, 0
    plus
    value
    done
    fde 0x1300, 0x10
    def_cfa_expression
    breg 6, 0
    consts -16
    and
    value
    done
    fde 0x1400, 0x10
    def_cfa_expression
    lit 8
    value
    done
    fde 0x1500, 0x10
    expression 6
    deref
    value
    done
    fde 0x1600, 0x10
    val_expression 6
    deref_size 4
    value
    done
