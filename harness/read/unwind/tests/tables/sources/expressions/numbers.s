# Operations on numbers (DWARF 5, 2.5.1.4): division and comparison are signed, modulo and shr
# are not. In each function FP is the result of one: 0b1100 0b1010 and; -24 3 div;
# -9223372036854775808 -1 div; 3 5 minus; 17 5 mod; -1 10 mod; -2 4 mul; 0b1100 0b1010 or; -1 2
# plus; 3 4 shl; 3 64 shl; -1 60 shr; -1 64 shr; -16 1 shra; -16 200 shra; 16 200 shra; 0b1100
# 0b1010 xor; 5 5 eq; 5 6 eq; -1 1 ge; 1 1 ge; 1 -1 gt; 1 1 gt; -1 1 le; 1 1 le; -1 1 lt; 1 1
# lt; 1 1 ne; 1 2 ne; 1 2 swap; 1 2 over; -8 abs; 8 abs; 8 neg; 0 not; 7 nop.
# show: callers
#
# case: amd64
# target: amd64
# expect: 0x1000..0x1010 cfa=rsp+8 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+8 ra [sp+16] sp sp+8 fp 0x8
# expect: 0x1100..0x1110 cfa=rsp+8 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+8 ra [sp+16] sp sp+8 fp 0xfffffffffffffff8
# expect: 0x1200..0x1210 cfa=rsp+8 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+8 ra [sp+16] sp sp+8 fp 0x8000000000000000
# expect: 0x1300..0x1310 cfa=rsp+8 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+8 ra [sp+16] sp sp+8 fp 0xfffffffffffffffe
# expect: 0x1400..0x1410 cfa=rsp+8 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+8 ra [sp+16] sp sp+8 fp 0x2
# expect: 0x1500..0x1510 cfa=rsp+8 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+8 ra [sp+16] sp sp+8 fp 0x5
# expect: 0x1600..0x1610 cfa=rsp+8 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+8 ra [sp+16] sp sp+8 fp 0xfffffffffffffff8
# expect: 0x1700..0x1710 cfa=rsp+8 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+8 ra [sp+16] sp sp+8 fp 0xe
# expect: 0x1800..0x1810 cfa=rsp+8 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+8 ra [sp+16] sp sp+8 fp 0x1
# expect: 0x1900..0x1910 cfa=rsp+8 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+8 ra [sp+16] sp sp+8 fp 0x30
# expect: 0x1a00..0x1a10 cfa=rsp+8 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+8 ra [sp+16] sp sp+8 fp 0x0
# expect: 0x1b00..0x1b10 cfa=rsp+8 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+8 ra [sp+16] sp sp+8 fp 0xf
# expect: 0x1c00..0x1c10 cfa=rsp+8 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+8 ra [sp+16] sp sp+8 fp 0x0
# expect: 0x1d00..0x1d10 cfa=rsp+8 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+8 ra [sp+16] sp sp+8 fp 0xfffffffffffffff8
# expect: 0x1e00..0x1e10 cfa=rsp+8 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+8 ra [sp+16] sp sp+8 fp 0xffffffffffffffff
# expect: 0x1f00..0x1f10 cfa=rsp+8 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+8 ra [sp+16] sp sp+8 fp 0x0
# expect: 0x2000..0x2010 cfa=rsp+8 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+8 ra [sp+16] sp sp+8 fp 0x6
# expect: 0x2100..0x2110 cfa=rsp+8 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+8 ra [sp+16] sp sp+8 fp 0x1
# expect: 0x2200..0x2210 cfa=rsp+8 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+8 ra [sp+16] sp sp+8 fp 0x0
# expect: 0x2300..0x2310 cfa=rsp+8 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+8 ra [sp+16] sp sp+8 fp 0x0
# expect: 0x2400..0x2410 cfa=rsp+8 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+8 ra [sp+16] sp sp+8 fp 0x1
# expect: 0x2500..0x2510 cfa=rsp+8 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+8 ra [sp+16] sp sp+8 fp 0x1
# expect: 0x2600..0x2610 cfa=rsp+8 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+8 ra [sp+16] sp sp+8 fp 0x0
# expect: 0x2700..0x2710 cfa=rsp+8 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+8 ra [sp+16] sp sp+8 fp 0x1
# expect: 0x2800..0x2810 cfa=rsp+8 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+8 ra [sp+16] sp sp+8 fp 0x1
# expect: 0x2900..0x2910 cfa=rsp+8 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+8 ra [sp+16] sp sp+8 fp 0x1
# expect: 0x2a00..0x2a10 cfa=rsp+8 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+8 ra [sp+16] sp sp+8 fp 0x0
# expect: 0x2b00..0x2b10 cfa=rsp+8 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+8 ra [sp+16] sp sp+8 fp 0x0
# expect: 0x2c00..0x2c10 cfa=rsp+8 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+8 ra [sp+16] sp sp+8 fp 0x1
# expect: 0x2d00..0x2d10 cfa=rsp+8 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+8 ra [sp+16] sp sp+8 fp 0x1
# expect: 0x2e00..0x2e10 cfa=rsp+8 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+8 ra [sp+16] sp sp+8 fp 0x1
# expect: 0x2f00..0x2f10 cfa=rsp+8 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+8 ra [sp+16] sp sp+8 fp 0x8
# expect: 0x3000..0x3010 cfa=rsp+8 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+8 ra [sp+16] sp sp+8 fp 0x8
# expect: 0x3100..0x3110 cfa=rsp+8 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+8 ra [sp+16] sp sp+8 fp 0xfffffffffffffff8
# expect: 0x3200..0x3210 cfa=rsp+8 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+8 ra [sp+16] sp sp+8 fp 0xffffffffffffffff
# expect: 0x3300..0x3310 cfa=rsp+8 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+8 ra [sp+16] sp sp+8 fp 0x7
#
# case: s390x
# target: s390x
# expect: 0x1000..0x1010 cfa=r15+160 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+160 ra [sp+168] sp sp fp 0x8
# expect: 0x1100..0x1110 cfa=r15+160 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+160 ra [sp+168] sp sp fp 0xfffffffffffffff8
# expect: 0x1200..0x1210 cfa=r15+160 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+160 ra [sp+168] sp sp fp 0x8000000000000000
# expect: 0x1300..0x1310 cfa=r15+160 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+160 ra [sp+168] sp sp fp 0xfffffffffffffffe
# expect: 0x1400..0x1410 cfa=r15+160 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+160 ra [sp+168] sp sp fp 0x2
# expect: 0x1500..0x1510 cfa=r15+160 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+160 ra [sp+168] sp sp fp 0x5
# expect: 0x1600..0x1610 cfa=r15+160 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+160 ra [sp+168] sp sp fp 0xfffffffffffffff8
# expect: 0x1700..0x1710 cfa=r15+160 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+160 ra [sp+168] sp sp fp 0xe
# expect: 0x1800..0x1810 cfa=r15+160 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+160 ra [sp+168] sp sp fp 0x1
# expect: 0x1900..0x1910 cfa=r15+160 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+160 ra [sp+168] sp sp fp 0x30
# expect: 0x1a00..0x1a10 cfa=r15+160 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+160 ra [sp+168] sp sp fp 0x0
# expect: 0x1b00..0x1b10 cfa=r15+160 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+160 ra [sp+168] sp sp fp 0xf
# expect: 0x1c00..0x1c10 cfa=r15+160 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+160 ra [sp+168] sp sp fp 0x0
# expect: 0x1d00..0x1d10 cfa=r15+160 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+160 ra [sp+168] sp sp fp 0xfffffffffffffff8
# expect: 0x1e00..0x1e10 cfa=r15+160 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+160 ra [sp+168] sp sp fp 0xffffffffffffffff
# expect: 0x1f00..0x1f10 cfa=r15+160 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+160 ra [sp+168] sp sp fp 0x0
# expect: 0x2000..0x2010 cfa=r15+160 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+160 ra [sp+168] sp sp fp 0x6
# expect: 0x2100..0x2110 cfa=r15+160 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+160 ra [sp+168] sp sp fp 0x1
# expect: 0x2200..0x2210 cfa=r15+160 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+160 ra [sp+168] sp sp fp 0x0
# expect: 0x2300..0x2310 cfa=r15+160 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+160 ra [sp+168] sp sp fp 0x0
# expect: 0x2400..0x2410 cfa=r15+160 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+160 ra [sp+168] sp sp fp 0x1
# expect: 0x2500..0x2510 cfa=r15+160 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+160 ra [sp+168] sp sp fp 0x1
# expect: 0x2600..0x2610 cfa=r15+160 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+160 ra [sp+168] sp sp fp 0x0
# expect: 0x2700..0x2710 cfa=r15+160 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+160 ra [sp+168] sp sp fp 0x1
# expect: 0x2800..0x2810 cfa=r15+160 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+160 ra [sp+168] sp sp fp 0x1
# expect: 0x2900..0x2910 cfa=r15+160 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+160 ra [sp+168] sp sp fp 0x1
# expect: 0x2a00..0x2a10 cfa=r15+160 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+160 ra [sp+168] sp sp fp 0x0
# expect: 0x2b00..0x2b10 cfa=r15+160 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+160 ra [sp+168] sp sp fp 0x0
# expect: 0x2c00..0x2c10 cfa=r15+160 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+160 ra [sp+168] sp sp fp 0x1
# expect: 0x2d00..0x2d10 cfa=r15+160 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+160 ra [sp+168] sp sp fp 0x1
# expect: 0x2e00..0x2e10 cfa=r15+160 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+160 ra [sp+168] sp sp fp 0x1
# expect: 0x2f00..0x2f10 cfa=r15+160 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+160 ra [sp+168] sp sp fp 0x8
# expect: 0x3000..0x3010 cfa=r15+160 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+160 ra [sp+168] sp sp fp 0x8
# expect: 0x3100..0x3110 cfa=r15+160 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+160 ra [sp+168] sp sp fp 0xfffffffffffffff8
# expect: 0x3200..0x3210 cfa=r15+160 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+160 ra [sp+168] sp sp fp 0xffffffffffffffff
# expect: 0x3300..0x3310 cfa=r15+160 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+160 ra [sp+168] sp sp fp 0x7
    .include "cfi.inc"
    eh_frame
    cie
    initial
    done
    fde 0x1000, 0x10
    offset_extended_sf RA, -1
    val_expression FP
    consts 0b1100
    consts 0b1010
    op 0x1a
    value
    done
    fde 0x1100, 0x10
    offset_extended_sf RA, -1
    val_expression FP
    consts -24
    consts 3
    op 0x1b
    value
    done
    fde 0x1200, 0x10
    offset_extended_sf RA, -1
    val_expression FP
    consts -9223372036854775808
    consts -1
    op 0x1b
    value
    done
    fde 0x1300, 0x10
    offset_extended_sf RA, -1
    val_expression FP
    consts 3
    consts 5
    op 0x1c
    value
    done
    fde 0x1400, 0x10
    offset_extended_sf RA, -1
    val_expression FP
    consts 17
    consts 5
    op 0x1d
    value
    done
    fde 0x1500, 0x10
    offset_extended_sf RA, -1
    val_expression FP
    consts -1
    consts 10
    op 0x1d
    value
    done
    fde 0x1600, 0x10
    offset_extended_sf RA, -1
    val_expression FP
    consts -2
    consts 4
    op 0x1e
    value
    done
    fde 0x1700, 0x10
    offset_extended_sf RA, -1
    val_expression FP
    consts 0b1100
    consts 0b1010
    op 0x21
    value
    done
    fde 0x1800, 0x10
    offset_extended_sf RA, -1
    val_expression FP
    consts -1
    consts 2
    op 0x22
    value
    done
    fde 0x1900, 0x10
    offset_extended_sf RA, -1
    val_expression FP
    consts 3
    consts 4
    op 0x24
    value
    done
    fde 0x1a00, 0x10
    offset_extended_sf RA, -1
    val_expression FP
    consts 3
    consts 64
    op 0x24
    value
    done
    fde 0x1b00, 0x10
    offset_extended_sf RA, -1
    val_expression FP
    consts -1
    consts 60
    op 0x25
    value
    done
    fde 0x1c00, 0x10
    offset_extended_sf RA, -1
    val_expression FP
    consts -1
    consts 64
    op 0x25
    value
    done
    fde 0x1d00, 0x10
    offset_extended_sf RA, -1
    val_expression FP
    consts -16
    consts 1
    op 0x26
    value
    done
    fde 0x1e00, 0x10
    offset_extended_sf RA, -1
    val_expression FP
    consts -16
    consts 200
    op 0x26
    value
    done
    fde 0x1f00, 0x10
    offset_extended_sf RA, -1
    val_expression FP
    consts 16
    consts 200
    op 0x26
    value
    done
    fde 0x2000, 0x10
    offset_extended_sf RA, -1
    val_expression FP
    consts 0b1100
    consts 0b1010
    op 0x27
    value
    done
    fde 0x2100, 0x10
    offset_extended_sf RA, -1
    val_expression FP
    consts 5
    consts 5
    op 0x29
    value
    done
    fde 0x2200, 0x10
    offset_extended_sf RA, -1
    val_expression FP
    consts 5
    consts 6
    op 0x29
    value
    done
    fde 0x2300, 0x10
    offset_extended_sf RA, -1
    val_expression FP
    consts -1
    consts 1
    op 0x2a
    value
    done
    fde 0x2400, 0x10
    offset_extended_sf RA, -1
    val_expression FP
    consts 1
    consts 1
    op 0x2a
    value
    done
    fde 0x2500, 0x10
    offset_extended_sf RA, -1
    val_expression FP
    consts 1
    consts -1
    op 0x2b
    value
    done
    fde 0x2600, 0x10
    offset_extended_sf RA, -1
    val_expression FP
    consts 1
    consts 1
    op 0x2b
    value
    done
    fde 0x2700, 0x10
    offset_extended_sf RA, -1
    val_expression FP
    consts -1
    consts 1
    op 0x2c
    value
    done
    fde 0x2800, 0x10
    offset_extended_sf RA, -1
    val_expression FP
    consts 1
    consts 1
    op 0x2c
    value
    done
    fde 0x2900, 0x10
    offset_extended_sf RA, -1
    val_expression FP
    consts -1
    consts 1
    op 0x2d
    value
    done
    fde 0x2a00, 0x10
    offset_extended_sf RA, -1
    val_expression FP
    consts 1
    consts 1
    op 0x2d
    value
    done
    fde 0x2b00, 0x10
    offset_extended_sf RA, -1
    val_expression FP
    consts 1
    consts 1
    op 0x2e
    value
    done
    fde 0x2c00, 0x10
    offset_extended_sf RA, -1
    val_expression FP
    consts 1
    consts 2
    op 0x2e
    value
    done
    fde 0x2d00, 0x10
    offset_extended_sf RA, -1
    val_expression FP
    consts 1
    consts 2
    op 0x16
    value
    done
    fde 0x2e00, 0x10
    offset_extended_sf RA, -1
    val_expression FP
    consts 1
    consts 2
    op 0x14
    value
    done
    fde 0x2f00, 0x10
    offset_extended_sf RA, -1
    val_expression FP
    consts -8
    op 0x19
    value
    done
    fde 0x3000, 0x10
    offset_extended_sf RA, -1
    val_expression FP
    consts 8
    op 0x19
    value
    done
    fde 0x3100, 0x10
    offset_extended_sf RA, -1
    val_expression FP
    consts 8
    op 0x1f
    value
    done
    fde 0x3200, 0x10
    offset_extended_sf RA, -1
    val_expression FP
    consts 0
    op 0x20
    value
    done
    fde 0x3300, 0x10
    offset_extended_sf RA, -1
    val_expression FP
    consts 7
    op 0x96
    value
    done
