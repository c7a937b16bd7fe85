# Functions are sorted and half-open: a return address after a call at the end of one belongs to
# it, and one that is its first byte does not.
# show: functions lookups
# expect: function 0x1000..0x1010 at 0x30
# expect: function 0x2000..0x2010 at 0x48
# expect: function 0x3000..0x3010 at 0x18
# expect: at 0xfff: no FDE covers the address
# expect: at 0x1000: row from 0x1000
# expect: at 0x100f: row from 0x1000
# expect: at 0x1010: no FDE covers the address
# expect: after a call, at 0x1000: no FDE covers the address
# expect: after a call, at 0x1010: row from 0x1000
# expect: at 0x1fff: no FDE covers the address
# expect: at 0x2000: row from 0x2000
# expect: at 0x200f: row from 0x2000
# expect: at 0x2010: no FDE covers the address
# expect: after a call, at 0x2000: no FDE covers the address
# expect: after a call, at 0x2010: row from 0x2000
# expect: at 0x2fff: no FDE covers the address
# expect: at 0x3000: row from 0x3000
# expect: at 0x300f: row from 0x3000
# expect: at 0x3010: no FDE covers the address
# expect: after a call, at 0x3000: no FDE covers the address
# expect: after a call, at 0x3010: row from 0x3000
# expect: 0x1000..0x1010 cfa=rsp+8 ra=[cfa-8] fp=same
# expect: 0x2000..0x2010 cfa=rsp+8 ra=[cfa-8] fp=same
# expect: 0x3000..0x3010 cfa=rsp+8 ra=[cfa-8] fp=same
    .include "cfi.inc"
    eh_frame
    cie
    initial
    done
    fde 0x3000, 0x10
    done
    fde 0x1000, 0x10
    done
    fde 0x2000, 0x10
    done
