# Sizes of a CIE of version 4 that no target has break it: addresses that are not of 8 bytes,
# segment selectors.
#
# case: eh_frame: 0, 0
# with section: eh_frame
# with id: 0
# with augmentation: zR
# with data: .byte 1, pcrel4
# with address: 0
# with selector: 0
# expect: broken: .eh_frame+0x0: a CIE whose addresses are not of 8 bytes
#
# case: eh_frame: 4, 0
# with section: eh_frame
# with id: 0
# with augmentation: zR
# with data: .byte 1, pcrel4
# with address: 4
# with selector: 0
# expect: broken: .eh_frame+0x0: a CIE whose addresses are not of 8 bytes
#
# case: eh_frame: 16, 0
# with section: eh_frame
# with id: 0
# with augmentation: zR
# with data: .byte 1, pcrel4
# with address: 16
# with selector: 0
# expect: broken: .eh_frame+0x0: a CIE whose addresses are not of 8 bytes
#
# case: eh_frame: 255, 0
# with section: eh_frame
# with id: 0
# with augmentation: zR
# with data: .byte 1, pcrel4
# with address: 255
# with selector: 0
# expect: broken: .eh_frame+0x0: a CIE whose addresses are not of 8 bytes
#
# case: eh_frame: 8, 2
# with section: eh_frame
# with id: 0
# with augmentation: zR
# with data: .byte 1, pcrel4
# with address: 8
# with selector: 2
# expect: broken: .eh_frame+0x0: a CIE with segment selectors
#
# case: eh_frame: 8, 0
# with section: eh_frame
# with id: 0
# with augmentation: zR
# with data: .byte 1, pcrel4
# with address: 8
# with selector: 0
#
# case: debug_frame: 0, 0
# with section: debug_frame
# with id: -1
# with augmentation:
# with data:
# with address: 0
# with selector: 0
# expect: broken: .debug_frame+0x0: a CIE whose addresses are not of 8 bytes
#
# case: debug_frame: 4, 0
# with section: debug_frame
# with id: -1
# with augmentation:
# with data:
# with address: 4
# with selector: 0
# expect: broken: .debug_frame+0x0: a CIE whose addresses are not of 8 bytes
#
# case: debug_frame: 16, 0
# with section: debug_frame
# with id: -1
# with augmentation:
# with data:
# with address: 16
# with selector: 0
# expect: broken: .debug_frame+0x0: a CIE whose addresses are not of 8 bytes
#
# case: debug_frame: 255, 0
# with section: debug_frame
# with id: -1
# with augmentation:
# with data:
# with address: 255
# with selector: 0
# expect: broken: .debug_frame+0x0: a CIE whose addresses are not of 8 bytes
#
# case: debug_frame: 8, 2
# with section: debug_frame
# with id: -1
# with augmentation:
# with data:
# with address: 8
# with selector: 2
# expect: broken: .debug_frame+0x0: a CIE with segment selectors
#
# case: debug_frame: 8, 0
# with section: debug_frame
# with id: -1
# with augmentation:
# with data:
# with address: 8
# with selector: 0
    .include "cfi.inc"
    .ifdef is_debug
    .endif
    {section}
    length
    .4byte {id}
    .byte 4
    .asciz "{augmentation}"
    .byte {address}, {selector}
    .uleb128 CODE
    .sleb128 -8
    .uleb128 RA
    {data}
    initial
    done
