# Every CFA rule, in a function each.
#
# case: amd64
# target: amd64
# expect: 0x1000..0x1010 cfa=rbx+4660 ra=[cfa-8] fp=same
# expect: 0x1100..0x1110 cfa=rbx-16 ra=[cfa-8] fp=same
# expect: 0x1200..0x1210 cfa=rsp+119 ra=[cfa-8] fp=same
# expect: 0x1300..0x1310 cfa=rsp+32 ra=[cfa-8] fp=same
# expect: 0x1400..0x1410 cfa=r12+8 ra=[cfa-8] fp=same
#
# case: aarch64
# target: aarch64
# expect: 0x1000..0x1010 cfa=x3+4660 ra=same fp=same
# expect: 0x1100..0x1110 cfa=x3-16 ra=same fp=same
# expect: 0x1200..0x1210 cfa=sp+119 ra=same fp=same
# expect: 0x1300..0x1310 cfa=sp+32 ra=same fp=same
# expect: 0x1400..0x1410 cfa=x12 ra=same fp=same
#
# case: aarch64be
# target: aarch64be
# expect: 0x1000..0x1010 cfa=x3+4660 ra=same fp=same
# expect: 0x1100..0x1110 cfa=x3-16 ra=same fp=same
# expect: 0x1200..0x1210 cfa=sp+119 ra=same fp=same
# expect: 0x1300..0x1310 cfa=sp+32 ra=same fp=same
# expect: 0x1400..0x1410 cfa=x12 ra=same fp=same
#
# case: s390x
# target: s390x
# expect: 0x1000..0x1010 cfa=r3+4660 ra=same fp=same
# expect: 0x1100..0x1110 cfa=r3-16 ra=same fp=same
# expect: 0x1200..0x1210 cfa=r15+119 ra=same fp=same
# expect: 0x1300..0x1310 cfa=r15+32 ra=same fp=same
# expect: 0x1400..0x1410 cfa=r12+160 ra=same fp=same
    .include "cfi.inc"
    eh_frame
    cie
    initial
    done
    fde 0x1000, 0x10
    def_cfa 3, 0x1234
    done
    fde 0x1100, 0x10
    def_cfa_sf 3, 2
    done
    fde 0x1200, 0x10
    def_cfa_offset 0x77
    done
    fde 0x1300, 0x10
    def_cfa_offset_sf -4
    done
    fde 0x1400, 0x10
    def_cfa_register 12
    done
