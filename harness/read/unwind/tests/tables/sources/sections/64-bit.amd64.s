# `.eh_frame` with 64-bit lengths.
# expect: 0x1000..0x1100 cfa=rsp+8 ra=[cfa-8] fp=same
    .include "cfi.inc"
    .set WIDE, 1
    simple
    done
