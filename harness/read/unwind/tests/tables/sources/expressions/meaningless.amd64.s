# An operation that is not allowed in CFI, or that pops an empty stack, is an error anywhere,
# and the rest of the function stays; a vendor's operation for these ABIs is unsupported here.
# In order: DW_OP_fbreg; DW_OP_stack_value; division by a constant zero; division by a register;
# for ever; for ever by the value of a register; DW_OP_reg3; no operand; empty in the end; an unknown
# opcode; a truncated operand; DW_OP_HP_unmod_range; an unknown opcode of a vendor;
# DW_OP_call_frame_cfa; DW_OP_push_object_address; DW_OP_call2; a word of 9 bytes; a branch into
# an operation; an unknown opcode after a branch; DW_OP_GNU_encoded_addr; one more than the CFA.
# expect: broken: .eh_frame+0x18: an expression that has no meaning here, function 0x1000
# expect: broken: .eh_frame+0x30: an expression that has no meaning here, function 0x1100
# expect: broken: .eh_frame+0x48: an expression that has no meaning here, function 0x1200
# expect: broken: .eh_frame+0x78: an expression that has no meaning here, function 0x1400
# expect: broken: .eh_frame+0xc8: an expression that has no meaning here, function 0x1700
# expect: broken: .eh_frame+0xe0: an expression that has no meaning here, function 0x1800
# expect: broken: .eh_frame+0xf8: an expression that has no meaning here, function 0x1900
# expect: broken: .eh_frame+0x110: an expression that has no meaning here, function 0x1a00
# expect: broken: .eh_frame+0x128: an expression that has no meaning here, function 0x1b00
# expect: broken: .eh_frame+0x140: an expression that has no meaning here, function 0x1c00
# expect: broken: .eh_frame+0x158: an expression that has no meaning here, function 0x1d00
# expect: broken: .eh_frame+0x170: an expression that has no meaning here, function 0x1e00
# expect: broken: .eh_frame+0x188: an expression that has no meaning here, function 0x1f00
# expect: broken: .eh_frame+0x1a0: an expression that has no meaning here, function 0x2000
# expect: broken: .eh_frame+0x1b8: an expression that has no meaning here, function 0x2100
# expect: broken: .eh_frame+0x1e0: an expression that has no meaning here, function 0x2200
# expect: 0x1000..0x1010 cfa=rsp+8 ra=[cfa-8] fp=same
# expect: 0x1100..0x1110 cfa=rsp+8 ra=[cfa-8] fp=same
# expect: 0x1200..0x1210 cfa=rsp+8 ra=[cfa-8] fp=same
# expect: 0x1300..0x1310 cfa=rsp+8 ra=[cfa-8] fp=same
# expect: 0x1400..0x1410 cfa=rsp+8 ra=[cfa-8] fp=same
# expect: 0x1500..0x1510 cfa=rsp+8 ra=[cfa-8] fp=same
# expect: 0x1600..0x1610 cfa=rsp+8 ra=[cfa-8] fp=same
# expect: 0x1700..0x1710 cfa=rsp+8 ra=[cfa-8] fp=same
# expect: 0x1800..0x1810 cfa=rsp+8 ra=[cfa-8] fp=same
# expect: 0x1900..0x1910 cfa=rsp+8 ra=[cfa-8] fp=same
# expect: 0x1a00..0x1a10 cfa=rsp+8 ra=[cfa-8] fp=same
# expect: 0x1b00..0x1b10 cfa=rsp+8 ra=[cfa-8] fp=same
# expect: 0x1c00..0x1c10 cfa=rsp+8 ra=[cfa-8] fp=same
# expect: 0x1d00..0x1d10 cfa=rsp+8 ra=[cfa-8] fp=same
# expect: 0x1e00..0x1e10 cfa=rsp+8 ra=[cfa-8] fp=same
# expect: 0x1f00..0x1f10 cfa=rsp+8 ra=[cfa-8] fp=same
# expect: 0x2000..0x2010 cfa=rsp+8 ra=[cfa-8] fp=same
# expect: 0x2100..0x2110 cfa=rsp+8 ra=[cfa-8] fp=same
# expect: 0x2200..0x2210 cfa=rsp+8 ra=[cfa-8] fp=same
# expect: 0x2300..0x2310 cfa=rsp+8 ra=[cfa-8] fp=same
# expect: 0x2400..0x2410 cfa=rsp+8 ra=[cfa-8] fp=same
    .include "cfi.inc"
    eh_frame
    cie
    initial
    done
    fde 0x1000, 0x10
    val_expression 3
    op 0x91, 0
    value
    done
    fde 0x1100, 0x10
    val_expression 3
    lit 1
    op 0x9f
    value
    done
    fde 0x1200, 0x10
    val_expression 3
    lit 0
    op 0x1b
    value
    done
    fde 0x1300, 0x10
    val_expression 3
    breg 3, 0
    op 0x1b
    value
    done
    fde 0x1400, 0x10
    val_expression 3
    skip -3
    value
    done
    fde 0x1500, 0x10
    val_expression 3
    breg 3, 0
    bra -5
    value
    done
    fde 0x1600, 0x10
    val_expression 3
    op 0x53
    value
    done
    fde 0x1700, 0x10
    val_expression 3
    plus
    value
    done
    fde 0x1800, 0x10
    val_expression 3
    drop
    value
    done
    fde 0x1900, 0x10
    val_expression 3
    op 0xdf
    value
    done
    fde 0x1a00, 0x10
    val_expression 3
    op 0x0e, 1
    value
    done
    fde 0x1b00, 0x10
    val_expression 3
    op 0xe5
    value
    done
    fde 0x1c00, 0x10
    val_expression 3
    op 0xff
    value
    done
    fde 0x1d00, 0x10
    val_expression 3
    op 0x9c
    value
    done
    fde 0x1e00, 0x10
    val_expression 3
    op 0x97
    value
    done
    fde 0x1f00, 0x10
    val_expression 3
    op 0x98, 0, 0
    value
    done
    fde 0x2000, 0x10
    val_expression 3
    deref_size 9
    value
    done
    fde 0x2100, 0x10
    val_expression 3
    lit 1
    bra 1
    const8u 0
    value
    done
    fde 0x2200, 0x10
    val_expression 3
    lit 0
    bra 0
    op 0xdf
    value
    done
    fde 0x2300, 0x10
    val_expression 3
    op 0xf1, 0x1b, 0
    value
    done
    fde 0x2400, 0x10
    val_expression 3
    lit 8
    plus
    value
    done
