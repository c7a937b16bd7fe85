# Where functions overlap, the one that starts last answers; of two with one start the later.
# expect: 0x1000..0x1100 cfa=rsp+16 ra=[cfa-8] fp=same
# expect: 0x1040..0x1060 cfa=rsp+24 ra=[cfa-8] fp=same
# expect: 0x1040..0x1080 cfa=rsp+32 ra=[cfa-8] fp=same
# expect: 0x1000..0x1100 cfa=rsp+16 ra=[cfa-8] fp=same
    .include "cfi.inc"
    eh_frame
    cie
    initial
    done
    fde 0x1000, 0x100
    def_cfa_offset 16
    done
    fde 0x1040, 0x20
    def_cfa_offset 24
    done
    fde 0x1040, 0x40
    def_cfa_offset 32
    done
    fde 0x1050, 0
    def_cfa_offset 40
    done
