# An operand that looks like an opcode is left alone: 0x2b and 0x2c as operands of every form,
# before the opcode itself.
#
# case: zR
# with augmentation: zR
# with encoding: pcrel4
# expect: 0x2c2c..0x2cdc cfa=x29-352 ra=same fp=same
# expect: 0x2cdc..0x2d8c cfa=x29-352 ra=same fp=same
# expect: 0x2d8c..0x2e3c cfa=x29-352 ra=same fp=same
# expect: 0x2e3c..0x5858 cfa=x29+44 ra=same fp=same signed:A+pc
#
# case: zPLR
# with augmentation: zPLR
# with encoding: pcrel8
# expect: 0x2c2c..0x2cdc cfa=x29-352 ra=same fp=same
# expect: 0x2cdc..0x2d8c cfa=x29-352 ra=same fp=same
# expect: 0x2d8c..0x2e3c cfa=x29-352 ra=same fp=same
# expect: 0x2e3c..0x5858 cfa=x29+44 ra=same fp=same signed:A+pc
#
# case: none
# with augmentation: none
# with encoding: absptr
# expect: 0x2c2c..0x2cdc cfa=x29-352 ra=same fp=same
# expect: 0x2cdc..0x2d8c cfa=x29-352 ra=same fp=same
# expect: 0x2d8c..0x2e3c cfa=x29-352 ra=same fp=same
# expect: 0x2e3c..0x5858 cfa=x29+44 ra=same fp=same signed:A+pc
    .include "cfi.inc"
    eh_frame
    cie augmentation={augmentation}, encoding={encoding}
    initial
    done
    fde 0x2c2c, 0x2c2c
    offset 19, 0x2c
    offset_extended 0x2c, 0x2c
    offset_extended_sf 0x2c, 0x2c
    val_offset 20, 0x2c
    val_offset_sf 20, 0x2c
    register 0x2c, 0x2c
    same_value 0x2c
    undefined 0x2c
    args_size 0x2c
    remember_state
    restore_state
    restore 0x2c
    restore_extended 0x2c
    .byte 0
    expression 22
    lit 0
    op 0x2c
    value
    val_expression 23
    lit 0
    op 0x2c
    lit 0
    op 0x2c
    value
    def_cfa_expression
    breg 31, 0x2c
    value
    def_cfa 31, 0x2c
    def_cfa_sf 31, 0x2c
    def_cfa_offset 0x10
    def_cfa_offset_sf 0x2c
    def_cfa_register 29
    offset 24, 0x2b
    same_value 0x2b
    args_size 0x2b
    advance1 0x2c
    advance2 0x2c
    advance4 0x2c
    negate_ra_state_with_pc
    def_cfa_offset 0x2c
    done
