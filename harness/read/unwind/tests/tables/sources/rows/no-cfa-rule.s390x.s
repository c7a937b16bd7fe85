# A function without a CFA rule has rows; register 0 plus 0 is a rule like any other, different
# from none.
# show: callers
# expect: 0x1000..0x1010 cfa=none ra=same fp=same
# expect: fault: the row gives no CFA
# expect: 0x2000..0x2010 cfa=r0 ra=same fp=same
# expect: caller: cfa r0 ra r14 sp 0xf60 fp sp+512
    .include "cfi.inc"
    eh_frame
    cie
    done
    fde 0x1000, 16
    done
    fde 0x2000, 16
    def_cfa 0, 0
    done
