# Branches count from the end of the operation: a loop (3 + 2 + 1, then one more); one to the
# very end is allowed, one into the middle of an operation or beyond the end is not.
# show: callers
# expect: broken: .eh_frame+0x68: an expression that has no meaning here, function 0x1200
# expect: broken: .eh_frame+0x88: an expression that has no meaning here, function 0x1300
# expect: 0x1000..0x1010 cfa=rsp+8 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+8 ra [sp+16] sp sp+8 fp 0x7
# expect: 0x1100..0x1110 cfa=rsp+8 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+8 ra [sp+16] sp sp+8 fp 0x9
# expect: 0x1200..0x1210 cfa=rsp+8 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+8 ra [sp+16] sp sp+8 fp fault: a DWARF expression that cannot be evaluated
# expect: 0x1300..0x1310 cfa=rsp+8 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+8 ra [sp+16] sp sp+8 fp fault: a DWARF expression that cannot be evaluated
    .include "cfi.inc"
    eh_frame
    cie
    initial
    done
    fde 0x1000, 0x10
    offset_extended_sf RA, -1
    val_expression FP
    lit 0
    lit 3
    swap
    over
    plus
    swap
    lit 1
    minus
    dup
    bra -10
    drop
    skip 1
    drop
    plus_uconst 1
    value
    done
    fde 0x1100, 0x10
    offset_extended_sf RA, -1
    val_expression FP
    lit 9
    skip 1
    lit 4
    value
    done
    fde 0x1200, 0x10
    offset_extended_sf RA, -1
    val_expression FP
    lit 9
    skip 1
    plus_uconst 4
    value
    done
    fde 0x1300, 0x10
    offset_extended_sf RA, -1
    val_expression FP
    lit 9
    skip 2
    lit 4
    value
    done
