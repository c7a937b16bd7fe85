# A CFA in a register that holds no addresses is refused: the first number after the general
# registers (RIP; the PC column of AArch64, whose 31 is SP; f0), and an undefined one.
# show: broken
#
# case: amd64
# target: amd64
# with first: 16
# expect: broken: .eh_frame+0x18: a CFA in a register that holds no addresses, function 0x1000
# expect: broken: .eh_frame+0x30: a CFA in a register that holds no addresses, function 0x1100
# expect: broken: .eh_frame+0x48: a CFA in a register that holds no addresses, function 0x1200
# expect: broken: .eh_frame+0x60: a CFA in a register that holds no addresses, function 0x1300
# expect: broken: .eh_frame+0x78: a CFA in a register that holds no addresses, function 0x1400
# expect: broken: .eh_frame+0x90: a CFA in a register that holds no addresses, function 0x1500
#
# case: aarch64
# target: aarch64
# with first: 32
# expect: broken: .eh_frame+0x18: a CFA in a register that holds no addresses, function 0x1000
# expect: broken: .eh_frame+0x30: a CFA in a register that holds no addresses, function 0x1100
# expect: broken: .eh_frame+0x48: a CFA in a register that holds no addresses, function 0x1200
# expect: broken: .eh_frame+0x60: a CFA in a register that holds no addresses, function 0x1300
# expect: broken: .eh_frame+0x78: a CFA in a register that holds no addresses, function 0x1400
# expect: broken: .eh_frame+0x90: a CFA in a register that holds no addresses, function 0x1500
#
# case: aarch64be
# target: aarch64be
# with first: 32
# expect: broken: .eh_frame+0x18: a CFA in a register that holds no addresses, function 0x1000
# expect: broken: .eh_frame+0x30: a CFA in a register that holds no addresses, function 0x1100
# expect: broken: .eh_frame+0x48: a CFA in a register that holds no addresses, function 0x1200
# expect: broken: .eh_frame+0x60: a CFA in a register that holds no addresses, function 0x1300
# expect: broken: .eh_frame+0x78: a CFA in a register that holds no addresses, function 0x1400
# expect: broken: .eh_frame+0x90: a CFA in a register that holds no addresses, function 0x1500
#
# case: s390x
# target: s390x
# with first: 16
# expect: broken: .eh_frame+0x18: a CFA in a register that holds no addresses, function 0x1000
# expect: broken: .eh_frame+0x30: a CFA in a register that holds no addresses, function 0x1100
# expect: broken: .eh_frame+0x48: a CFA in a register that holds no addresses, function 0x1200
# expect: broken: .eh_frame+0x60: a CFA in a register that holds no addresses, function 0x1300
# expect: broken: .eh_frame+0x78: a CFA in a register that holds no addresses, function 0x1400
# expect: broken: .eh_frame+0x90: a CFA in a register that holds no addresses, function 0x1500
    .include "cfi.inc"
    eh_frame
    cie
    initial
    done
    fde 0x1000, 0x10
    def_cfa {first}, 8
    done
    fde 0x1100, 0x10
    def_cfa_sf {first}, 1
    done
    fde 0x1200, 0x10
    def_cfa_register {first}
    done
    fde 0x1300, 0x10
    def_cfa 200, 8
    done
    fde 0x1400, 0x10
    def_cfa_sf 200, 1
    done
    fde 0x1500, 0x10
    def_cfa_register 200
    done
