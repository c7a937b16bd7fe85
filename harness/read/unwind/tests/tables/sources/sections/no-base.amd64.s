# A pointer without its base breaks its FDE.
# bases: none
# expect: broken: .eh_frame+0x18: undefined text base for DW_EH_PE_textrel pointer
    .include "cfi.inc"
    eh_frame
    cie encoding=textrel4
    initial
    done
    fde 0x1000, 16
    done
