# A length past the section ends the reading.
# size: -1
# expect: broken: .eh_frame+0x30: length field reaches past the end of the section
# expect: 0x1000..0x1010 cfa=rsp+8 ra=[cfa-8] fp=same
    .include "cfi.inc"
    eh_frame
    cie
    initial
    done
    fde 0x1000, 16
    done
    fde 0x2000, 16
    done
