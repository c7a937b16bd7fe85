# A start that is read from memory (DW_EH_PE_indirect), as some readers do, breaks the CIE.
#
# case: amd64
# target: amd64
# expect: broken: .eh_frame+0x0: FDE starts that are read from memory (DW_EH_PE_indirect)
# expect: broken: .eh_frame+0x18: its CIE at 0x0 is unusable: FDE starts that are read from memory (DW_EH_PE_indirect)
#
# case: aarch64
# target: aarch64
# expect: broken: .eh_frame+0x0: FDE starts that are read from memory (DW_EH_PE_indirect)
# expect: broken: .eh_frame+0x18: its CIE at 0x0 is unusable: FDE starts that are read from memory (DW_EH_PE_indirect)
#
# case: aarch64be
# target: aarch64be
# expect: broken: .eh_frame+0x0: FDE starts that are read from memory (DW_EH_PE_indirect)
# expect: broken: .eh_frame+0x18: its CIE at 0x0 is unusable: FDE starts that are read from memory (DW_EH_PE_indirect)
#
# case: s390x
# target: s390x
# expect: broken: .eh_frame+0x0: FDE starts that are read from memory (DW_EH_PE_indirect)
# expect: broken: .eh_frame+0x18: its CIE at 0x0 is unusable: FDE starts that are read from memory (DW_EH_PE_indirect)
    .include "cfi.inc"
    eh_frame
    cie encoding=0x9b
    initial
    done
    fde 0x1000, 0x20, encoding=pcrel4
    done
