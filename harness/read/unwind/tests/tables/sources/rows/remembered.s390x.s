# Remembered states nest, one level deeper than gimli's own stack holds (four, less one for a
# CIE with several rules).
# expect: 0x1000..0x1002 cfa=r15+160 ra=same fp=same
# expect: 0x1002..0x1004 cfa=r15+168 ra=same fp=[cfa-8]
# expect: 0x1004..0x1006 cfa=r15+176 ra=same fp=[cfa-16]
# expect: 0x1006..0x1008 cfa=r15+184 ra=same fp=[cfa-24]
# expect: 0x1008..0x100a cfa=r15+192 ra=same fp=[cfa-32]
# expect: 0x100a..0x100c cfa=r15+200 ra=same fp=[cfa-40]
# expect: 0x100c..0x100e cfa=r15+192 ra=same fp=[cfa-32]
# expect: 0x100e..0x1010 cfa=r15+184 ra=same fp=[cfa-24]
# expect: 0x1010..0x1012 cfa=r15+176 ra=same fp=[cfa-16]
# expect: 0x1012..0x1014 cfa=r15+168 ra=same fp=[cfa-8]
# expect: 0x1014..0x1100 cfa=r15+160 ra=same fp=same
    .include "cfi.inc"
    simple
    remember_state
    advance 2
    def_cfa_offset 168
    offset 11, 1
    remember_state
    advance 2
    def_cfa_offset 176
    offset 11, 2
    remember_state
    advance 2
    def_cfa_offset 184
    offset 11, 3
    remember_state
    advance 2
    def_cfa_offset 192
    offset 11, 4
    remember_state
    advance 2
    def_cfa_offset 200
    offset 11, 5
    advance 2
    restore_state
    advance 2
    restore_state
    advance 2
    restore_state
    advance 2
    restore_state
    advance 2
    restore_state
    done
