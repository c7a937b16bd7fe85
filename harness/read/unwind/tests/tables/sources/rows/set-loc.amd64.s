# DW_CFA_set_loc goes to an address; back is an error.
# show: lookups
# expect: broken: .eh_frame+0x40: DW_CFA_set_loc goes back to 0x2003, function 0x2000
# expect: at 0xfff: no FDE covers the address
# expect: at 0x1000: row from 0x1000
# expect: at 0x100f: row from 0x1007
# expect: at 0x1010: no FDE covers the address
# expect: after a call, at 0x1000: no FDE covers the address
# expect: after a call, at 0x1010: row from 0x1007
# expect: at 0x1fff: no FDE covers the address
# expect: at 0x2000: no row covers the address
# expect: at 0x200f: no row covers the address
# expect: at 0x2010: no FDE covers the address
# expect: after a call, at 0x2000: no FDE covers the address
# expect: after a call, at 0x2010: no row covers the address
# expect: 0x1000..0x1007 cfa=rsp+8 ra=[cfa-8] fp=same
# expect: 0x1007..0x1010 cfa=rsp+24 ra=[cfa-8] fp=same
    .include "cfi.inc"
    eh_frame
    cie encoding=absptr
    initial
    done
    fde 0x1000, 0x10
    set_loc 0x1007
    def_cfa_offset 24
    done
    fde 0x2000, 0x10
    advance 4
    set_loc 0x2003
    done
