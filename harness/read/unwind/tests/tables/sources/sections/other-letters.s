# Letters of another ABI are not guessed at: the CIE is broken, and so is its FDE.
# show: lookups
#
# case: zRB on amd64
# target: amd64
# with letters: zRB
# expect: broken: .eh_frame+0x0: unknown CFI augmentation
# expect: broken: .eh_frame+0x18: its CIE at 0x0 is unusable: unknown CFI augmentation
#
# case: zRB on s390x
# target: s390x
# with letters: zRB
# expect: broken: .eh_frame+0x0: unknown CFI augmentation
# expect: broken: .eh_frame+0x18: its CIE at 0x0 is unusable: unknown CFI augmentation
#
# case: zRX on aarch64
# target: aarch64
# with letters: zRX
# expect: broken: .eh_frame+0x0: unknown CFI augmentation
# expect: broken: .eh_frame+0x18: its CIE at 0x0 is unusable: unknown CFI augmentation
#
# case: eh on amd64
# target: amd64
# with letters: eh
# expect: broken: .eh_frame+0x0: unknown CFI augmentation
# expect: broken: .eh_frame+0x18: its CIE at 0x0 is unusable: unknown CFI augmentation
    .include "cfi.inc"
    eh_frame
    cie augmentation={letters}
    initial
    done
    fde 0x1000, 0x40
    done
