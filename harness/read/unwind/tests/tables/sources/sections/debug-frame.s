# `.debug_frame` in every version and width.
#
# case: version 1 on amd64
# target: amd64
# with version: 1
# with wide: 0
# expect: 0x1000..0x1004 cfa=rsp+8 ra=[cfa-8] fp=undefined
# expect: 0x1004..0x1020 cfa=rsp+64 ra=[cfa-8] fp=undefined
#
# case: version 1 on aarch64
# target: aarch64
# with version: 1
# with wide: 0
# expect: 0x1000..0x1010 cfa=sp ra=same fp=undefined
# expect: 0x1010..0x1020 cfa=sp+64 ra=same fp=undefined
#
# case: version 1 on aarch64be
# target: aarch64be
# with version: 1
# with wide: 0
# expect: 0x1000..0x1010 cfa=sp ra=same fp=undefined
# expect: 0x1010..0x1020 cfa=sp+64 ra=same fp=undefined
#
# case: version 1 on s390x
# target: s390x
# with version: 1
# with wide: 0
# expect: 0x1000..0x1004 cfa=r15+160 ra=same fp=undefined
# expect: 0x1004..0x1020 cfa=r15+64 ra=same fp=undefined
#
# case: version 1, 64-bit on amd64
# target: amd64
# with version: 1
# with wide: 1
# expect: 0x1000..0x1004 cfa=rsp+8 ra=[cfa-8] fp=undefined
# expect: 0x1004..0x1020 cfa=rsp+64 ra=[cfa-8] fp=undefined
#
# case: version 1, 64-bit on aarch64
# target: aarch64
# with version: 1
# with wide: 1
# expect: 0x1000..0x1010 cfa=sp ra=same fp=undefined
# expect: 0x1010..0x1020 cfa=sp+64 ra=same fp=undefined
#
# case: version 1, 64-bit on aarch64be
# target: aarch64be
# with version: 1
# with wide: 1
# expect: 0x1000..0x1010 cfa=sp ra=same fp=undefined
# expect: 0x1010..0x1020 cfa=sp+64 ra=same fp=undefined
#
# case: version 1, 64-bit on s390x
# target: s390x
# with version: 1
# with wide: 1
# expect: 0x1000..0x1004 cfa=r15+160 ra=same fp=undefined
# expect: 0x1004..0x1020 cfa=r15+64 ra=same fp=undefined
#
# case: version 3 on amd64
# target: amd64
# with version: 3
# with wide: 0
# expect: 0x1000..0x1004 cfa=rsp+8 ra=[cfa-8] fp=undefined
# expect: 0x1004..0x1020 cfa=rsp+64 ra=[cfa-8] fp=undefined
#
# case: version 3 on aarch64
# target: aarch64
# with version: 3
# with wide: 0
# expect: 0x1000..0x1010 cfa=sp ra=same fp=undefined
# expect: 0x1010..0x1020 cfa=sp+64 ra=same fp=undefined
#
# case: version 3 on aarch64be
# target: aarch64be
# with version: 3
# with wide: 0
# expect: 0x1000..0x1010 cfa=sp ra=same fp=undefined
# expect: 0x1010..0x1020 cfa=sp+64 ra=same fp=undefined
#
# case: version 3 on s390x
# target: s390x
# with version: 3
# with wide: 0
# expect: 0x1000..0x1004 cfa=r15+160 ra=same fp=undefined
# expect: 0x1004..0x1020 cfa=r15+64 ra=same fp=undefined
#
# case: version 3, 64-bit on amd64
# target: amd64
# with version: 3
# with wide: 1
# expect: 0x1000..0x1004 cfa=rsp+8 ra=[cfa-8] fp=undefined
# expect: 0x1004..0x1020 cfa=rsp+64 ra=[cfa-8] fp=undefined
#
# case: version 3, 64-bit on aarch64
# target: aarch64
# with version: 3
# with wide: 1
# expect: 0x1000..0x1010 cfa=sp ra=same fp=undefined
# expect: 0x1010..0x1020 cfa=sp+64 ra=same fp=undefined
#
# case: version 3, 64-bit on aarch64be
# target: aarch64be
# with version: 3
# with wide: 1
# expect: 0x1000..0x1010 cfa=sp ra=same fp=undefined
# expect: 0x1010..0x1020 cfa=sp+64 ra=same fp=undefined
#
# case: version 3, 64-bit on s390x
# target: s390x
# with version: 3
# with wide: 1
# expect: 0x1000..0x1004 cfa=r15+160 ra=same fp=undefined
# expect: 0x1004..0x1020 cfa=r15+64 ra=same fp=undefined
#
# case: version 4 on amd64
# target: amd64
# with version: 4
# with wide: 0
# expect: 0x1000..0x1004 cfa=rsp+8 ra=[cfa-8] fp=undefined
# expect: 0x1004..0x1020 cfa=rsp+64 ra=[cfa-8] fp=undefined
#
# case: version 4 on aarch64
# target: aarch64
# with version: 4
# with wide: 0
# expect: 0x1000..0x1010 cfa=sp ra=same fp=undefined
# expect: 0x1010..0x1020 cfa=sp+64 ra=same fp=undefined
#
# case: version 4 on aarch64be
# target: aarch64be
# with version: 4
# with wide: 0
# expect: 0x1000..0x1010 cfa=sp ra=same fp=undefined
# expect: 0x1010..0x1020 cfa=sp+64 ra=same fp=undefined
#
# case: version 4 on s390x
# target: s390x
# with version: 4
# with wide: 0
# expect: 0x1000..0x1004 cfa=r15+160 ra=same fp=undefined
# expect: 0x1004..0x1020 cfa=r15+64 ra=same fp=undefined
#
# case: version 4, 64-bit on amd64
# target: amd64
# with version: 4
# with wide: 1
# expect: 0x1000..0x1004 cfa=rsp+8 ra=[cfa-8] fp=undefined
# expect: 0x1004..0x1020 cfa=rsp+64 ra=[cfa-8] fp=undefined
#
# case: version 4, 64-bit on aarch64
# target: aarch64
# with version: 4
# with wide: 1
# expect: 0x1000..0x1010 cfa=sp ra=same fp=undefined
# expect: 0x1010..0x1020 cfa=sp+64 ra=same fp=undefined
#
# case: version 4, 64-bit on aarch64be
# target: aarch64be
# with version: 4
# with wide: 1
# expect: 0x1000..0x1010 cfa=sp ra=same fp=undefined
# expect: 0x1010..0x1020 cfa=sp+64 ra=same fp=undefined
#
# case: version 4, 64-bit on s390x
# target: s390x
# with version: 4
# with wide: 1
# expect: 0x1000..0x1004 cfa=r15+160 ra=same fp=undefined
# expect: 0x1004..0x1020 cfa=r15+64 ra=same fp=undefined
    .include "cfi.inc"
    .set WIDE, {wide}
    debug_frame
    cie version={version}, augmentation=none
    initial
    done
    fde 0x1000, 0x20
    advance 4
    def_cfa_offset 64
    done
