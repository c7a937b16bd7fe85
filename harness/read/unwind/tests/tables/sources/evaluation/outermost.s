# An undefined return address ends the chain, also if no other register can be recovered.
# show: callers
#
# case: amd64
# target: amd64
# expect: 0x1000..0x1010 cfa=rsp+8 ra=undefined fp=same
# expect: outermost
# expect: 0x2000..0x2010 cfa=none ra=undefined fp=same
# expect: outermost
#
# case: aarch64
# target: aarch64
# expect: 0x1000..0x1010 cfa=sp ra=undefined fp=same
# expect: outermost
# expect: 0x2000..0x2010 cfa=none ra=undefined fp=same
# expect: outermost
#
# case: aarch64be
# target: aarch64be
# expect: 0x1000..0x1010 cfa=sp ra=undefined fp=same
# expect: outermost
# expect: 0x2000..0x2010 cfa=none ra=undefined fp=same
# expect: outermost
#
# case: s390x
# target: s390x
# expect: 0x1000..0x1010 cfa=r15+160 ra=undefined fp=same
# expect: outermost
# expect: 0x2000..0x2010 cfa=none ra=undefined fp=same
# expect: outermost
    .include "cfi.inc"
    eh_frame
    cie
    initial
    done
    fde 0x1000, 0x10
    undefined RA
    done
    cie bare
    done
    fde 0x2000, 0x10, bare
    undefined RA
    done
