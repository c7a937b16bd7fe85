# Entries after a terminator are read.
# show: functions
# expect: function 0x1000..0x1010 at 0x18
# expect: function 0x2000..0x2010 at 0x34
# expect: 0x1000..0x1010 cfa=r15+160 ra=same fp=same
# expect: 0x2000..0x2010 cfa=r15+160 ra=same fp=same
    .include "cfi.inc"
    eh_frame
    cie
    initial
    done
    fde 0x1000, 16
    done
    .4byte 0
    fde 0x2000, 16
    done
