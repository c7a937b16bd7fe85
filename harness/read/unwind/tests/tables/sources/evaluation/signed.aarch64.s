# Signed return addresses are stripped.
# show: callers
# also: aarch64be
# registers: 30=a0ab000000401234
#
# case: zR
# with letters: zR
# with toggle:
# expect: 0x1000..0x1040 cfa=sp ra=same fp=same
# expect: caller: cfa sp ra 0xa0ab000000401234 sp sp fp sp+512
#
# case: zR signed
# with letters: zR
# with toggle: negate_ra_state
# expect: 0x1000..0x1040 cfa=sp ra=same fp=same signed:A
# expect: caller: cfa sp ra 0x401234 sp sp fp sp+512, signed by A as 0xa0ab000000401234
#
# case: zRB
# with letters: zRB
# with toggle:
# expect: 0x1000..0x1040 cfa=sp ra=same fp=same
# expect: caller: cfa sp ra 0xa0ab000000401234 sp sp fp sp+512
#
# case: zRB signed
# with letters: zRB
# with toggle: negate_ra_state
# expect: 0x1000..0x1040 cfa=sp ra=same fp=same signed:B
# expect: caller: cfa sp ra 0x401234 sp sp fp sp+512, signed by B as 0xa0ab000000401234
    .include "cfi.inc"
    eh_frame
    cie augmentation={letters}
    def_cfa 31, 0
    done
    fde 0x1000, 0x40
    {toggle}
    done
