# A broken CIE breaks its own FDEs.
# show: lookups
#
# case: advance
# with broken: advance 1
# expect: broken: .eh_frame+0x0: an advance in a CIE
# expect: broken: .eh_frame+0x30: its CIE at 0x0 is unusable: an advance in a CIE
# expect: at 0x1fff: no FDE covers the address
# expect: at 0x2000: row from 0x2000
# expect: at 0x200f: row from 0x2000
# expect: at 0x2010: no FDE covers the address
# expect: after a call, at 0x2000: no FDE covers the address
# expect: after a call, at 0x2010: row from 0x2000
# expect: 0x2000..0x2010 cfa=rsp+8 ra=[cfa-8] fp=same
#
# case: restore
# with broken: restore 6
# expect: broken: .eh_frame+0x0: DW_CFA_restore in a CIE
# expect: broken: .eh_frame+0x30: its CIE at 0x0 is unusable: DW_CFA_restore in a CIE
# expect: at 0x1fff: no FDE covers the address
# expect: at 0x2000: row from 0x2000
# expect: at 0x200f: row from 0x2000
# expect: at 0x2010: no FDE covers the address
# expect: after a call, at 0x2000: no FDE covers the address
# expect: after a call, at 0x2010: row from 0x2000
# expect: 0x2000..0x2010 cfa=rsp+8 ra=[cfa-8] fp=same
#
# case: half a CFA
# with broken: def_cfa_offset 8
# expect: broken: .eh_frame+0x0: a change of one part of a CFA that is not register and offset
# expect: broken: .eh_frame+0x30: its CIE at 0x0 is unusable: a change of one part of a CFA that is not register and offset
# expect: at 0x1fff: no FDE covers the address
# expect: at 0x2000: row from 0x2000
# expect: at 0x200f: row from 0x2000
# expect: at 0x2010: no FDE covers the address
# expect: after a call, at 0x2000: no FDE covers the address
# expect: after a call, at 0x2010: row from 0x2000
# expect: 0x2000..0x2010 cfa=rsp+8 ra=[cfa-8] fp=same
    .include "cfi.inc"
    eh_frame
    cie bad
    {broken}
    done
    cie good
    initial
    done
    fde 0x1000, 16, bad
    done
    fde 0x2000, 16, good
    done
