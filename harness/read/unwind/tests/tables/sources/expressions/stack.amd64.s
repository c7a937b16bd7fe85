# Operations on the stack: rot makes 3 1 2 of 1 2 3 (DWARF 5, 2.5.1.3); pick; the CFA is below
# the items that a value expression pushes.
# show: callers
# expect: 0x1000..0x1010 cfa=rsp+8 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+8 ra [sp+16] sp sp+8 fp 0xd5
# expect: 0x1100..0x1110 cfa=rsp+8 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+8 ra [sp+16] sp sp+8 fp 0x4
# expect: 0x1200..0x1210 cfa=rsp+8 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+8 ra [sp+16] sp sp+8 fp sp+8
    .include "cfi.inc"
    eh_frame
    cie
    initial
    done
    fde 0x1000, 0x10
    offset_extended_sf RA, -1
    val_expression FP
    lit 1
    lit 2
    lit 3
    rot
    lit 10
    mul
    plus
    lit 10
    mul
    plus
    value
    done
    fde 0x1100, 0x10
    offset_extended_sf RA, -1
    val_expression FP
    lit 4
    lit 5
    lit 6
    pick 2
    value
    done
    fde 0x1200, 0x10
    offset_extended_sf RA, -1
    val_expression FP
    lit 4
    drop
    lit 0
    op 0x21
    value
    done
