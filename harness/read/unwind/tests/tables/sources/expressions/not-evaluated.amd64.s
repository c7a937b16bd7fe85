# Expressions that cannot be evaluated: no operand, division by zero, modulo zero, for ever, a
# stack without end, empty in the end, a location in place of a value, the CFA operation, an
# unknown opcode, a truncated operand, an unknown register.
# show: callers
# expect: broken: .eh_frame+0x18: an expression that has no meaning here, function 0x1000
# expect: broken: .eh_frame+0x38: an expression that has no meaning here, function 0x1100
# expect: broken: .eh_frame+0x58: an expression that has no meaning here, function 0x1200
# expect: broken: .eh_frame+0x78: an expression that has no meaning here, function 0x1300
# expect: broken: .eh_frame+0x98: an expression that has no meaning here, function 0x1400
# expect: broken: .eh_frame+0xb8: an expression that has no meaning here, function 0x1500
# expect: broken: .eh_frame+0xe8: an expression that has no meaning here, function 0x1700
# expect: broken: .eh_frame+0x100: an expression that has no meaning here, function 0x1800
# expect: broken: .eh_frame+0x118: an expression that has no meaning here, function 0x1900
# expect: 0x1000..0x1010 cfa=rsp+8 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+8 ra [sp+16] sp sp+8 fp fault: a DWARF expression that cannot be evaluated
# expect: 0x1100..0x1110 cfa=rsp+8 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+8 ra [sp+16] sp sp+8 fp fault: a DWARF expression that cannot be evaluated
# expect: 0x1200..0x1210 cfa=rsp+8 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+8 ra [sp+16] sp sp+8 fp fault: a DWARF expression that cannot be evaluated
# expect: 0x1300..0x1310 cfa=rsp+8 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+8 ra [sp+16] sp sp+8 fp fault: a DWARF expression that cannot be evaluated
# expect: 0x1400..0x1410 cfa=rsp+8 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+8 ra [sp+16] sp sp+8 fp fault: a DWARF expression that cannot be evaluated
# expect: 0x1500..0x1510 cfa=rsp+8 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+8 ra [sp+16] sp sp+8 fp fault: a DWARF expression that cannot be evaluated
# expect: 0x1600..0x1610 cfa=rsp+8 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+8 ra [sp+16] sp sp+8 fp fault: a DWARF expression that cannot be evaluated
# expect: 0x1700..0x1710 cfa=rsp+8 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+8 ra [sp+16] sp sp+8 fp fault: a DWARF expression that cannot be evaluated
# expect: 0x1800..0x1810 cfa=rsp+8 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+8 ra [sp+16] sp sp+8 fp fault: a DWARF expression that cannot be evaluated
# expect: 0x1900..0x1910 cfa=rsp+8 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+8 ra [sp+16] sp sp+8 fp fault: a DWARF expression that cannot be evaluated
# expect: 0x1a00..0x1a10 cfa=rsp+8 ra=[cfa+8] fp=reg77
# expect: caller: cfa sp+8 ra [sp+16] sp sp+8 fp fault: the value of reg77 is not known in this frame
    .include "cfi.inc"
    eh_frame
    cie
    initial
    done
    fde 0x1000, 0x10
    offset_extended_sf RA, -1
    val_expression FP
    drop
    plus
    value
    done
    fde 0x1100, 0x10
    offset_extended_sf RA, -1
    val_expression FP
    lit 1
    lit 0
    op 0x1b
    value
    done
    fde 0x1200, 0x10
    offset_extended_sf RA, -1
    val_expression FP
    lit 1
    lit 0
    op 0x1d
    value
    done
    fde 0x1300, 0x10
    offset_extended_sf RA, -1
    val_expression FP
    skip -3
    value
    done
    fde 0x1400, 0x10
    offset_extended_sf RA, -1
    val_expression FP
    lit 1
    skip -4
    value
    done
    fde 0x1500, 0x10
    offset_extended_sf RA, -1
    val_expression FP
    drop
    value
    done
    fde 0x1600, 0x10
    offset_extended_sf RA, -1
    val_expression FP
    op 0x53
    value
    done
    fde 0x1700, 0x10
    offset_extended_sf RA, -1
    val_expression FP
    op 0x9c
    value
    done
    fde 0x1800, 0x10
    offset_extended_sf RA, -1
    val_expression FP
    op 0xdf
    value
    done
    fde 0x1900, 0x10
    offset_extended_sf RA, -1
    val_expression FP
    op 0x0e, 1
    value
    done
    fde 0x1a00, 0x10
    offset_extended_sf RA, -1
    val_expression FP
    bregx 77, 0
    value
    done
