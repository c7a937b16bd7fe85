# The return address is in the column that the CIE names.
#
# case: version 1
# with version: 1
# expect: 0x1000..0x1010 cfa=r15+160 ra=[cfa-16] fp=same
#
# case: version 3
# with version: 3
# expect: 0x1000..0x1010 cfa=r15+160 ra=[cfa-16] fp=same
    .include "cfi.inc"
    eh_frame
    cie version={version}, column=6
    initial
    done
    fde 0x1000, 16
    offset 14, 6
    offset 6, 2
    done
