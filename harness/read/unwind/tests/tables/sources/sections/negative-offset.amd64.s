# A CFA offset that is negative as ULEB128 is a row like any other, as in libgcc and gdb; the
# rows before and after it are unaffected.
# expect: 0x1000..0x1004 cfa=rsp+8 ra=[cfa-8] fp=same
# expect: 0x1004..0x1008 cfa=rsp-8 ra=[cfa-8] fp=same
# expect: 0x1008..0x1010 cfa=rsp+16 ra=[cfa-8] fp=same
    .include "cfi.inc"
    eh_frame
    cie
    initial
    done
    fde 0x1000, 16
    advance 4
    .byte 0x0e, 0xf8, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1
    advance 4
    def_cfa_offset 16
    done
