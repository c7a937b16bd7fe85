# The CFA expression of a PLT of GNU ld at every PC: entry 0 has its own pushes, then come
# entries of 16 bytes, whose push takes the last five: at 11 it has been executed.
# show: callers
# expect: 0x1020..0x1026 cfa=rsp+16 ra=[cfa-8] fp=same
# expect: caller: cfa sp+16 ra [sp+8] sp sp+16 fp sp+512
# expect: 0x1026..0x1030 cfa=rsp+24 ra=[cfa-8] fp=same
# expect: caller: cfa sp+24 ra [sp+16] sp sp+24 fp sp+512
# expect: 0x1030..0x103b cfa=rsp+8 ra=[cfa-8] fp=same
# expect: caller: cfa sp+8 ra [sp] sp sp+8 fp sp+512
# expect: 0x103b..0x1040 cfa=rsp+16 ra=[cfa-8] fp=same
# expect: caller: cfa sp+16 ra [sp+8] sp sp+16 fp sp+512
# expect: 0x1040..0x104b cfa=rsp+8 ra=[cfa-8] fp=same
# expect: caller: cfa sp+8 ra [sp] sp sp+8 fp sp+512
# expect: 0x104b..0x1050 cfa=rsp+16 ra=[cfa-8] fp=same
# expect: caller: cfa sp+16 ra [sp+8] sp sp+16 fp sp+512
# expect: 0x1050..0x105b cfa=rsp+8 ra=[cfa-8] fp=same
# expect: caller: cfa sp+8 ra [sp] sp sp+8 fp sp+512
# expect: 0x105b..0x1060 cfa=rsp+16 ra=[cfa-8] fp=same
# expect: caller: cfa sp+16 ra [sp+8] sp sp+16 fp sp+512
    .include "cfi.inc"
    eh_frame
    cie
    initial
    done
    fde 0x1020, 64
    def_cfa_offset 16
    advance 6
    def_cfa_offset 24
    advance 10
    def_cfa_expression
    plt
    value
    done
