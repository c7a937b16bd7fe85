# Return address columns that no call uses are broken: no call leaves it in a vector register,
# so without a rule the column is meaningless. It is one bug of the CIE, however many FDEs use
# it. A rule gives its location: then the column is valid.
#
# case: amd64
# target: amd64
# with first: 17
# with second: 18
# with third: 255
# with general: 3
# expect: broken: .eh_frame+0x0: a return-address column that no call leaves a return address in
# expect: broken: .eh_frame+0x48: a return-address column that no call leaves a return address in
# expect: broken: .eh_frame+0x90: a return-address column that no call leaves a return address in
# expect: 0x1000..0x1010 cfa=rsp+8 ra=reg17 fp=same
# expect: 0x1100..0x1110 cfa=rsp+8 ra=reg17 fp=same
# expect: 0x2000..0x2010 cfa=rsp+8 ra=reg18 fp=same
# expect: 0x2100..0x2110 cfa=rsp+8 ra=reg18 fp=same
# expect: 0x3000..0x3010 cfa=rsp+8 ra=reg255 fp=same
# expect: 0x4000..0x4010 cfa=rsp+8 ra=rbx fp=same
# expect: 0x5000..0x5010 cfa=rsp+8 ra=[cfa-8] fp=same
# expect: 0x6000..0x6010 cfa=rsp+8 ra=[cfa-8] fp=same
#
# case: aarch64
# target: aarch64
# with first: 32
# with second: 64
# with third: 128
# with general: 29
# expect: broken: .eh_frame+0x0: a return-address column that no call leaves a return address in
# expect: broken: .eh_frame+0x48: a return-address column that no call leaves a return address in
# expect: broken: .eh_frame+0x90: a return-address column that no call leaves a return address in
# expect: 0x1000..0x1010 cfa=sp ra=reg32 fp=same
# expect: 0x1100..0x1110 cfa=sp ra=reg32 fp=same
# expect: 0x2000..0x2010 cfa=sp ra=v0 fp=same
# expect: 0x2100..0x2110 cfa=sp ra=v0 fp=same
# expect: 0x3000..0x3010 cfa=sp ra=reg128 fp=same
# expect: 0x4000..0x4010 cfa=sp ra=x29 fp=same
# expect: 0x5000..0x5010 cfa=sp ra=same fp=same
# expect: 0x6000..0x6010 cfa=sp ra=[cfa-8] fp=same
#
# case: aarch64be
# target: aarch64be
# with first: 32
# with second: 64
# with third: 128
# with general: 29
# expect: broken: .eh_frame+0x0: a return-address column that no call leaves a return address in
# expect: broken: .eh_frame+0x48: a return-address column that no call leaves a return address in
# expect: broken: .eh_frame+0x90: a return-address column that no call leaves a return address in
# expect: 0x1000..0x1010 cfa=sp ra=reg32 fp=same
# expect: 0x1100..0x1110 cfa=sp ra=reg32 fp=same
# expect: 0x2000..0x2010 cfa=sp ra=v0 fp=same
# expect: 0x2100..0x2110 cfa=sp ra=v0 fp=same
# expect: 0x3000..0x3010 cfa=sp ra=reg128 fp=same
# expect: 0x4000..0x4010 cfa=sp ra=x29 fp=same
# expect: 0x5000..0x5010 cfa=sp ra=same fp=same
# expect: 0x6000..0x6010 cfa=sp ra=[cfa-8] fp=same
#
# case: s390x
# target: s390x
# with first: 16
# with second: 65
# with third: 84
# with general: 1
# expect: broken: .eh_frame+0x0: a return-address column that no call leaves a return address in
# expect: broken: .eh_frame+0x48: a return-address column that no call leaves a return address in
# expect: broken: .eh_frame+0x90: a return-address column that no call leaves a return address in
# expect: 0x1000..0x1010 cfa=r15+160 ra=f0 fp=same
# expect: 0x1100..0x1110 cfa=r15+160 ra=f0 fp=same
# expect: 0x2000..0x2010 cfa=r15+160 ra=reg65 fp=same
# expect: 0x2100..0x2110 cfa=r15+160 ra=reg65 fp=same
# expect: 0x3000..0x3010 cfa=r15+160 ra=reg84 fp=same
# expect: 0x4000..0x4010 cfa=r15+160 ra=r1 fp=same
# expect: 0x5000..0x5010 cfa=r15+160 ra=same fp=same
# expect: 0x6000..0x6010 cfa=r15+160 ra=[cfa-8] fp=same
    .include "cfi.inc"
    eh_frame
    cie first, column={first}
    initial
    done
    fde 0x1000, 0x10, first
    done
    fde 0x1100, 0x10, first
    done
    cie second, column={second}
    initial
    done
    fde 0x2000, 0x10, second
    done
    fde 0x2100, 0x10, second
    done
    cie third, column={third}
    initial
    done
    fde 0x3000, 0x10, third
    done
    cie general, column={general}
    initial
    done
    fde 0x4000, 0x10, general
    done
    cie own
    initial
    done
    fde 0x5000, 0x10, own
    done
    cie ruled, column=64
    initial
    done
    fde 0x6000, 0x10, ruled
    offset_extended 64, 1
    done
