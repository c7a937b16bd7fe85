# Registers that do not exist are broken, and the rest of the section stays readable. Readers
# ignore the rule of a register that they do not have; a register that is only wide exists.
#
# case: amd64
# target: amd64
# with none: 60
# expect: broken: .eh_frame+0x18: a rule with a register that the ABI does not have, function 0x1000
# expect: broken: .eh_frame+0x30: a rule with a register that the ABI does not have, function 0x1100
# expect: broken: .eh_frame+0x48: a rule with a register that the ABI does not have, function 0x1200
# expect: broken: .eh_frame+0x60: a rule with a register that the ABI does not have, function 0x1300
# expect: 0x1000..0x1010 cfa=rsp+8 ra=reg60 fp=same
# expect: 0x1100..0x1110 cfa=rsp+8 ra=[cfa-8] fp=reg60
# expect: 0x1200..0x1210 cfa=[reg60+8] ra=[cfa-8] fp=same
# expect: 0x1300..0x1310 cfa=rsp+8 ra=[cfa-8] fp=same
# expect: 0x1400..0x1410 cfa=rsp+8 ra=[cfa-8] fp=same
# expect: 0x1500..0x1510 cfa=rsp+8 ra=[cfa-8] fp=reg18
#
# case: aarch64
# target: aarch64
# with none: 128
# expect: broken: .eh_frame+0x18: a rule with a register that the ABI does not have, function 0x1000
# expect: broken: .eh_frame+0x30: a rule with a register that the ABI does not have, function 0x1100
# expect: broken: .eh_frame+0x48: a rule with a register that the ABI does not have, function 0x1200
# expect: broken: .eh_frame+0x60: a rule with a register that the ABI does not have, function 0x1300
# expect: 0x1000..0x1010 cfa=sp ra=reg128 fp=same
# expect: 0x1100..0x1110 cfa=sp ra=same fp=reg128
# expect: 0x1200..0x1210 cfa=[reg128+8] ra=same fp=same
# expect: 0x1300..0x1310 cfa=sp ra=same fp=same
# expect: 0x1400..0x1410 cfa=sp ra=same fp=same
# expect: 0x1500..0x1510 cfa=sp ra=same fp=x18
#
# case: aarch64be
# target: aarch64be
# with none: 40
# expect: broken: .eh_frame+0x18: a rule with a register that the ABI does not have, function 0x1000
# expect: broken: .eh_frame+0x30: a rule with a register that the ABI does not have, function 0x1100
# expect: broken: .eh_frame+0x48: a rule with a register that the ABI does not have, function 0x1200
# expect: broken: .eh_frame+0x60: a rule with a register that the ABI does not have, function 0x1300
# expect: 0x1000..0x1010 cfa=sp ra=reg40 fp=same
# expect: 0x1100..0x1110 cfa=sp ra=same fp=reg40
# expect: 0x1200..0x1210 cfa=[reg40+8] ra=same fp=same
# expect: 0x1300..0x1310 cfa=sp ra=same fp=same
# expect: 0x1400..0x1410 cfa=sp ra=same fp=same
# expect: 0x1500..0x1510 cfa=sp ra=same fp=x18
#
# case: s390x
# target: s390x
# with none: 84
# expect: broken: .eh_frame+0x18: a rule with a register that the ABI does not have, function 0x1000
# expect: broken: .eh_frame+0x30: a rule with a register that the ABI does not have, function 0x1100
# expect: broken: .eh_frame+0x48: a rule with a register that the ABI does not have, function 0x1200
# expect: broken: .eh_frame+0x60: a rule with a register that the ABI does not have, function 0x1300
# expect: 0x1000..0x1010 cfa=r15+160 ra=reg84 fp=same
# expect: 0x1100..0x1110 cfa=r15+160 ra=same fp=reg84
# expect: 0x1200..0x1210 cfa=[reg84+8] ra=same fp=same
# expect: 0x1300..0x1310 cfa=r15+160 ra=same fp=same
# expect: 0x1400..0x1410 cfa=r15+160 ra=same fp=same
# expect: 0x1500..0x1510 cfa=r15+160 ra=same fp=f4
    .include "cfi.inc"
    eh_frame
    cie
    initial
    done
    fde 0x1000, 0x10
    register RA, {none}
    done
    fde 0x1100, 0x10
    register FP, {none}
    done
    fde 0x1200, 0x10
    def_cfa_expression
    bregx {none}, 8
    deref
    value
    done
    fde 0x1300, 0x10
    register 2, {none}
    done
    fde 0x1400, 0x10
    register {none}, {none}
    done
    fde 0x1500, 0x10
    register FP, 18
    done
