# Every form of advance.
# expect: 0x1000..0x103f cfa=r15+160 ra=same fp=same
# expect: 0x103f..0x1041 cfa=r15+168 ra=same fp=same
# expect: 0x1041..0x1043 cfa=r15+176 ra=same fp=same
# expect: 0x1043..0x1045 cfa=r15+184 ra=same fp=same
# expect: 0x1045..0x1100 cfa=r15+192 ra=same fp=same
    .include "cfi.inc"
    simple
    advance 0x3f
    def_cfa_offset 168
    advance1 2
    def_cfa_offset 176
    advance2 2
    def_cfa_offset 184
    advance4 2
    def_cfa_offset 192
    done
