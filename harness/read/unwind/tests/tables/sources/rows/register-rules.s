# Every register rule, for FP and the return address, in a function each: offset,
# offset_extended, offset_extended_sf, val_offset, val_offset_sf, register, undefined, and
# same_value after another; the return address of AMD64 is in no register.
#
# case: amd64
# target: amd64
# expect: 0x1000..0x1010 cfa=rsp+8 ra=[cfa-8] fp=[cfa-40]
# expect: 0x1100..0x1110 cfa=rsp+8 ra=[cfa-8] fp=[cfa-2400]
# expect: 0x1200..0x1210 cfa=rsp+8 ra=[cfa-8] fp=[cfa+16]
# expect: 0x1300..0x1310 cfa=rsp+8 ra=[cfa-8] fp=cfa-24
# expect: 0x1400..0x1410 cfa=rsp+8 ra=[cfa-8] fp=cfa+24
# expect: 0x1500..0x1510 cfa=rsp+8 ra=[cfa-8] fp=rdx
# expect: 0x1600..0x1610 cfa=rsp+8 ra=[cfa-8] fp=undefined
# expect: 0x1700..0x1710 cfa=rsp+8 ra=[cfa-40] fp=same
# expect: 0x1800..0x1810 cfa=rsp+8 ra=[cfa-2400] fp=same
# expect: 0x1900..0x1910 cfa=rsp+8 ra=[cfa+16] fp=same
# expect: 0x1a00..0x1a10 cfa=rsp+8 ra=cfa-24 fp=same
# expect: 0x1b00..0x1b10 cfa=rsp+8 ra=cfa+24 fp=same
# expect: 0x1c00..0x1c10 cfa=rsp+8 ra=rdx fp=same
# expect: 0x1d00..0x1d10 cfa=rsp+8 ra=undefined fp=same
# expect: 0x1e00..0x1e10 cfa=rsp+8 ra=[cfa-8] fp=same
#
# case: aarch64
# target: aarch64
# expect: 0x1000..0x1010 cfa=sp ra=same fp=[cfa-40]
# expect: 0x1100..0x1110 cfa=sp ra=same fp=[cfa-2400]
# expect: 0x1200..0x1210 cfa=sp ra=same fp=[cfa+16]
# expect: 0x1300..0x1310 cfa=sp ra=same fp=cfa-24
# expect: 0x1400..0x1410 cfa=sp ra=same fp=cfa+24
# expect: 0x1500..0x1510 cfa=sp ra=same fp=x1
# expect: 0x1600..0x1610 cfa=sp ra=same fp=undefined
# expect: 0x1700..0x1710 cfa=sp ra=[cfa-40] fp=same
# expect: 0x1800..0x1810 cfa=sp ra=[cfa-2400] fp=same
# expect: 0x1900..0x1910 cfa=sp ra=[cfa+16] fp=same
# expect: 0x1a00..0x1a10 cfa=sp ra=cfa-24 fp=same
# expect: 0x1b00..0x1b10 cfa=sp ra=cfa+24 fp=same
# expect: 0x1c00..0x1c10 cfa=sp ra=x1 fp=same
# expect: 0x1d00..0x1d10 cfa=sp ra=undefined fp=same
# expect: 0x1e00..0x1e10 cfa=sp ra=same fp=same
# expect: 0x1f00..0x1f10 cfa=sp ra=same fp=same
#
# case: aarch64be
# target: aarch64be
# expect: 0x1000..0x1010 cfa=sp ra=same fp=[cfa-40]
# expect: 0x1100..0x1110 cfa=sp ra=same fp=[cfa-2400]
# expect: 0x1200..0x1210 cfa=sp ra=same fp=[cfa+16]
# expect: 0x1300..0x1310 cfa=sp ra=same fp=cfa-24
# expect: 0x1400..0x1410 cfa=sp ra=same fp=cfa+24
# expect: 0x1500..0x1510 cfa=sp ra=same fp=x1
# expect: 0x1600..0x1610 cfa=sp ra=same fp=undefined
# expect: 0x1700..0x1710 cfa=sp ra=[cfa-40] fp=same
# expect: 0x1800..0x1810 cfa=sp ra=[cfa-2400] fp=same
# expect: 0x1900..0x1910 cfa=sp ra=[cfa+16] fp=same
# expect: 0x1a00..0x1a10 cfa=sp ra=cfa-24 fp=same
# expect: 0x1b00..0x1b10 cfa=sp ra=cfa+24 fp=same
# expect: 0x1c00..0x1c10 cfa=sp ra=x1 fp=same
# expect: 0x1d00..0x1d10 cfa=sp ra=undefined fp=same
# expect: 0x1e00..0x1e10 cfa=sp ra=same fp=same
# expect: 0x1f00..0x1f10 cfa=sp ra=same fp=same
#
# case: s390x
# target: s390x
# expect: 0x1000..0x1010 cfa=r15+160 ra=same fp=[cfa-40]
# expect: 0x1100..0x1110 cfa=r15+160 ra=same fp=[cfa-2400]
# expect: 0x1200..0x1210 cfa=r15+160 ra=same fp=[cfa+16]
# expect: 0x1300..0x1310 cfa=r15+160 ra=same fp=cfa-24
# expect: 0x1400..0x1410 cfa=r15+160 ra=same fp=cfa+24
# expect: 0x1500..0x1510 cfa=r15+160 ra=same fp=r1
# expect: 0x1600..0x1610 cfa=r15+160 ra=same fp=undefined
# expect: 0x1700..0x1710 cfa=r15+160 ra=[cfa-40] fp=same
# expect: 0x1800..0x1810 cfa=r15+160 ra=[cfa-2400] fp=same
# expect: 0x1900..0x1910 cfa=r15+160 ra=[cfa+16] fp=same
# expect: 0x1a00..0x1a10 cfa=r15+160 ra=cfa-24 fp=same
# expect: 0x1b00..0x1b10 cfa=r15+160 ra=cfa+24 fp=same
# expect: 0x1c00..0x1c10 cfa=r15+160 ra=r1 fp=same
# expect: 0x1d00..0x1d10 cfa=r15+160 ra=undefined fp=same
# expect: 0x1e00..0x1e10 cfa=r15+160 ra=same fp=same
# expect: 0x1f00..0x1f10 cfa=r15+160 ra=same fp=same
    .include "cfi.inc"
    eh_frame
    cie
    initial
    done
    fde 0x1000, 0x10
    offset FP, 5
    done
    fde 0x1100, 0x10
    offset_extended FP, 300
    done
    fde 0x1200, 0x10
    offset_extended_sf FP, -2
    done
    fde 0x1300, 0x10
    val_offset FP, 3
    done
    fde 0x1400, 0x10
    val_offset_sf FP, -3
    done
    fde 0x1500, 0x10
    register FP, 1
    done
    fde 0x1600, 0x10
    undefined FP
    done
    fde 0x1700, 0x10
    offset RA, 5
    done
    fde 0x1800, 0x10
    offset_extended RA, 300
    done
    fde 0x1900, 0x10
    offset_extended_sf RA, -2
    done
    fde 0x1a00, 0x10
    val_offset RA, 3
    done
    fde 0x1b00, 0x10
    val_offset_sf RA, -3
    done
    fde 0x1c00, 0x10
    register RA, 1
    done
    fde 0x1d00, 0x10
    undefined RA
    done
    fde 0x1e00, 0x10
    offset FP, 5
    same_value FP
    done
    .if RA != 16
    fde 0x1f00, 0x10
    offset RA, 5
    same_value RA
    done
    .endif
