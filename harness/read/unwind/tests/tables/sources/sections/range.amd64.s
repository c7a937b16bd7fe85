# A range that leaves the address space breaks its FDE.
# expect: broken: .eh_frame+0x18: addresses overflow (at 0xfffffffffffffff8)
    .include "cfi.inc"
    eh_frame
    cie encoding=absptr
    initial
    done
    fde -8, 16
    done
