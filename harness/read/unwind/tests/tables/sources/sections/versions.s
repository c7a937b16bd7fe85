# `.eh_frame` in every version: libgcc accepts CIEs of version 4 there too (unwind-dw2.c), and
# GNU as writes them with `--gdwarf-cie-version=4`.
#
# case: version 1 on amd64
# target: amd64
# with version: 1
# expect: 0x1000..0x1004 cfa=rsp+8 ra=[cfa-8] fp=same
# expect: 0x1004..0x1020 cfa=rsp+64 ra=[cfa-8] fp=same
#
# case: version 1 on aarch64
# target: aarch64
# with version: 1
# expect: 0x1000..0x1010 cfa=sp ra=same fp=same
# expect: 0x1010..0x1020 cfa=sp+64 ra=same fp=same
#
# case: version 1 on aarch64be
# target: aarch64be
# with version: 1
# expect: 0x1000..0x1010 cfa=sp ra=same fp=same
# expect: 0x1010..0x1020 cfa=sp+64 ra=same fp=same
#
# case: version 1 on s390x
# target: s390x
# with version: 1
# expect: 0x1000..0x1004 cfa=r15+160 ra=same fp=same
# expect: 0x1004..0x1020 cfa=r15+64 ra=same fp=same
#
# case: version 3 on amd64
# target: amd64
# with version: 3
# expect: 0x1000..0x1004 cfa=rsp+8 ra=[cfa-8] fp=same
# expect: 0x1004..0x1020 cfa=rsp+64 ra=[cfa-8] fp=same
#
# case: version 3 on aarch64
# target: aarch64
# with version: 3
# expect: 0x1000..0x1010 cfa=sp ra=same fp=same
# expect: 0x1010..0x1020 cfa=sp+64 ra=same fp=same
#
# case: version 3 on aarch64be
# target: aarch64be
# with version: 3
# expect: 0x1000..0x1010 cfa=sp ra=same fp=same
# expect: 0x1010..0x1020 cfa=sp+64 ra=same fp=same
#
# case: version 3 on s390x
# target: s390x
# with version: 3
# expect: 0x1000..0x1004 cfa=r15+160 ra=same fp=same
# expect: 0x1004..0x1020 cfa=r15+64 ra=same fp=same
#
# case: version 4 on amd64
# target: amd64
# with version: 4
# expect: 0x1000..0x1004 cfa=rsp+8 ra=[cfa-8] fp=same
# expect: 0x1004..0x1020 cfa=rsp+64 ra=[cfa-8] fp=same
#
# case: version 4 on aarch64
# target: aarch64
# with version: 4
# expect: 0x1000..0x1010 cfa=sp ra=same fp=same
# expect: 0x1010..0x1020 cfa=sp+64 ra=same fp=same
#
# case: version 4 on aarch64be
# target: aarch64be
# with version: 4
# expect: 0x1000..0x1010 cfa=sp ra=same fp=same
# expect: 0x1010..0x1020 cfa=sp+64 ra=same fp=same
#
# case: version 4 on s390x
# target: s390x
# with version: 4
# expect: 0x1000..0x1004 cfa=r15+160 ra=same fp=same
# expect: 0x1004..0x1020 cfa=r15+64 ra=same fp=same
    .include "cfi.inc"
    eh_frame
    cie version={version}, augmentation=zPLR
    initial
    done
    fde 0x1000, 0x20
    advance 4
    def_cfa_offset 64
    done
