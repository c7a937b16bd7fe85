# Loads outside the live stack are faults: the last four bytes, one further, and below the red
# zone.
# show: callers
# expect: 0x1000..0x1010 cfa=rsp+8 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+8 ra [sp+16] sp sp+8 fp 0xa0000000
# expect: 0x1100..0x1110 cfa=rsp+8 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+8 ra [sp+16] sp sp+8 fp fault: reads outside the stack at sp+3069
# expect: 0x1200..0x1210 cfa=rsp+8 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+8 ra [sp+16] sp sp+8 fp fault: reads dead stack at sp-129
    .include "cfi.inc"
    eh_frame
    cie
    initial
    done
    fde 0x1000, 0x10
    offset_extended_sf RA, -1
    val_expression FP
    breg 7, 0xbfc
    deref_size 4
    value
    done
    fde 0x1100, 0x10
    offset_extended_sf RA, -1
    val_expression FP
    breg 7, 0xbfd
    deref_size 4
    value
    done
    fde 0x1200, 0x10
    offset_extended_sf RA, -1
    val_expression FP
    breg 7, -129
    deref_size 1
    value
    done
