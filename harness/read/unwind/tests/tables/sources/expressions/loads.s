# Loads of 1 to 8 bytes follow the byte order.
# show: callers
#
# case: amd64
# target: amd64
# expect: 0x1000..0x1010 cfa=rsp+8 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+8 ra [sp+16] sp sp+8 fp 0x0
# expect: 0x1100..0x1110 cfa=rsp+8 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+8 ra [sp+16] sp sp+8 fp 0x500
# expect: 0x1200..0x1210 cfa=rsp+8 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+8 ra [sp+16] sp sp+8 fp 0x500
# expect: 0x1300..0x1310 cfa=rsp+8 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+8 ra [sp+16] sp sp+8 fp sp+256
# expect: 0x1400..0x1410 cfa=rsp+8 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+8 ra [sp+16] sp sp+8 fp sp+256
# expect: 0x1500..0x1510 cfa=rsp+8 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+8 ra [sp+16] sp sp+8 fp sp+256
# expect: 0x1600..0x1610 cfa=rsp+8 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+8 ra [sp+16] sp sp+8 fp sp+256
# expect: 0x1700..0x1710 cfa=rsp+8 ra=[cfa+8] fp=[rsp+256]
# expect: caller: cfa sp+8 ra [sp+16] sp sp+8 fp [sp+256]
#
# case: aarch64
# target: aarch64
# expect: 0x1000..0x1010 cfa=sp ra=[cfa+8] fp=expression
# expect: caller: cfa sp ra [sp+8] sp sp fp 0x0
# expect: 0x1100..0x1110 cfa=sp ra=[cfa+8] fp=expression
# expect: caller: cfa sp ra [sp+8] sp sp fp 0x500
# expect: 0x1200..0x1210 cfa=sp ra=[cfa+8] fp=expression
# expect: caller: cfa sp ra [sp+8] sp sp fp 0x500
# expect: 0x1300..0x1310 cfa=sp ra=[cfa+8] fp=expression
# expect: caller: cfa sp ra [sp+8] sp sp fp sp+256
# expect: 0x1400..0x1410 cfa=sp ra=[cfa+8] fp=expression
# expect: caller: cfa sp ra [sp+8] sp sp fp sp+256
# expect: 0x1500..0x1510 cfa=sp ra=[cfa+8] fp=expression
# expect: caller: cfa sp ra [sp+8] sp sp fp sp+256
# expect: 0x1600..0x1610 cfa=sp ra=[cfa+8] fp=expression
# expect: caller: cfa sp ra [sp+8] sp sp fp sp+256
# expect: 0x1700..0x1710 cfa=sp ra=[cfa+8] fp=[sp+256]
# expect: caller: cfa sp ra [sp+8] sp sp fp [sp+256]
#
# case: aarch64be
# target: aarch64be
# expect: 0x1000..0x1010 cfa=sp ra=[cfa+8] fp=expression
# expect: caller: cfa sp ra [sp+8] sp sp fp 0xa0
# expect: 0x1100..0x1110 cfa=sp ra=[cfa+8] fp=expression
# expect: caller: cfa sp ra [sp+8] sp sp fp 0xa000
# expect: 0x1200..0x1210 cfa=sp ra=[cfa+8] fp=expression
# expect: caller: cfa sp ra [sp+8] sp sp fp 0xa00000
# expect: 0x1300..0x1310 cfa=sp ra=[cfa+8] fp=expression
# expect: caller: cfa sp ra [sp+8] sp sp fp 0xa0000000
# expect: 0x1400..0x1410 cfa=sp ra=[cfa+8] fp=expression
# expect: caller: cfa sp ra [sp+8] sp sp fp 0xa000000070
# expect: 0x1500..0x1510 cfa=sp ra=[cfa+8] fp=expression
# expect: caller: cfa sp ra [sp+8] sp sp fp 0xa00000007000
# expect: 0x1600..0x1610 cfa=sp ra=[cfa+8] fp=expression
# expect: caller: cfa sp ra [sp+8] sp sp fp 0xa0000000700005
# expect: 0x1700..0x1710 cfa=sp ra=[cfa+8] fp=[sp+256]
# expect: caller: cfa sp ra [sp+8] sp sp fp [sp+256]
#
# case: s390x
# target: s390x
# expect: 0x1000..0x1010 cfa=r15+160 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+160 ra [sp+168] sp sp fp 0xa0
# expect: 0x1100..0x1110 cfa=r15+160 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+160 ra [sp+168] sp sp fp 0xa000
# expect: 0x1200..0x1210 cfa=r15+160 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+160 ra [sp+168] sp sp fp 0xa00000
# expect: 0x1300..0x1310 cfa=r15+160 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+160 ra [sp+168] sp sp fp 0xa0000000
# expect: 0x1400..0x1410 cfa=r15+160 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+160 ra [sp+168] sp sp fp 0xa000000070
# expect: 0x1500..0x1510 cfa=r15+160 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+160 ra [sp+168] sp sp fp 0xa00000007000
# expect: 0x1600..0x1610 cfa=r15+160 ra=[cfa+8] fp=expression
# expect: caller: cfa sp+160 ra [sp+168] sp sp fp 0xa0000000700005
# expect: 0x1700..0x1710 cfa=r15+160 ra=[cfa+8] fp=[r15+256]
# expect: caller: cfa sp+160 ra [sp+168] sp sp fp [sp+256]
    .include "cfi.inc"
    eh_frame
    cie
    initial
    done
    fde 0x1000, 0x10
    offset_extended_sf RA, -1
    val_expression FP
    breg SP, 0x100
    deref_size 1
    value
    done
    fde 0x1100, 0x10
    offset_extended_sf RA, -1
    val_expression FP
    breg SP, 0x100
    deref_size 2
    value
    done
    fde 0x1200, 0x10
    offset_extended_sf RA, -1
    val_expression FP
    breg SP, 0x100
    deref_size 3
    value
    done
    fde 0x1300, 0x10
    offset_extended_sf RA, -1
    val_expression FP
    breg SP, 0x100
    deref_size 4
    value
    done
    fde 0x1400, 0x10
    offset_extended_sf RA, -1
    val_expression FP
    breg SP, 0x100
    deref_size 5
    value
    done
    fde 0x1500, 0x10
    offset_extended_sf RA, -1
    val_expression FP
    breg SP, 0x100
    deref_size 6
    value
    done
    fde 0x1600, 0x10
    offset_extended_sf RA, -1
    val_expression FP
    breg SP, 0x100
    deref_size 7
    value
    done
    fde 0x1700, 0x10
    offset_extended_sf RA, -1
    val_expression FP
    breg SP, 0x100
    deref_size 8
    value
    done
