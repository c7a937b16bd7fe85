# A CIE pointer that names no CIE breaks its FDE.
# expect: broken: .eh_frame+0x18: invalid offset: 0x1d
    .include "cfi.inc"
    eh_frame
    cie
    initial
    done
    fde 0x1000, 16, cie0 + 1
    done
