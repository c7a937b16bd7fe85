# Rows of a compiled function.
# expect: 0x1000..0x1006 cfa=r15+160 ra=same fp=same
# expect: 0x1006..0x100e cfa=r15+160 ra=[cfa-48] fp=[cfa-72]
# expect: 0x100e..0x1012 cfa=r15+320 ra=[cfa-48] fp=[cfa-72]
# expect: 0x1012..0x1100 cfa=r11+320 ra=[cfa-48] fp=[cfa-72]
    .include "cfi.inc"
    simple
    advance 6
    offset 11, 9
    offset 14, 6
    offset 15, 5
    advance 8
    def_cfa_offset 320
    advance 4
    def_cfa_register 11
    done
