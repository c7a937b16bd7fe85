# Of several states at one PC the last counts.
# expect: 0x1000..0x1004 cfa=rsp+8 ra=[cfa-8] fp=same
# expect: 0x1004..0x1100 cfa=rsp+32 ra=[cfa-8] fp=same
    .include "cfi.inc"
    simple
    advance 4
    def_cfa_offset 16
    remember_state
    def_cfa_offset 24
    restore_state
    advance 0
    def_cfa_offset 32
    done
