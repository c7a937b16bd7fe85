# A row that claims the address space can be walked, also if it depends on the PC, never
# changes, and has no simpler form.
# expect: 0x0..0x40 cfa=expression ra=[cfa-8] fp=same
    .include "cfi.inc"
    eh_frame
    cie encoding=absptr
    initial
    done
    fde 0, -1
    def_cfa_expression
    breg 16, 0
    deref
    value
    done
