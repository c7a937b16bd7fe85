# AMD64 has no register that holds the return address.
# show: callers
# expect: broken: .eh_frame+0x18: a return address without a rule, which no register holds, function 0x1000
# expect: 0x1000..0x1040 cfa=rsp+8 ra=same fp=same
# expect: fault: the value of reg16 is not known in this frame
    .include "cfi.inc"
    eh_frame
    cie
    def_cfa 7, 8
    done
    fde 0x1000, 0x40
    done
