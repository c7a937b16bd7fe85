# A kernel module without tables has none to judge; that of the kernel's own format is named.
#
# case: none
# with section: .data
# expect: failed: no unwind table: neither .sframe nor .eh_frame nor .debug_frame
#
# case: ORC
# with section: .orc_unwind, "a"
# expect: failed: no unwind table: neither .sframe nor .eh_frame nor .debug_frame (.orc_unwind, the table of Linux's own format, is not judged)
f:  ret
    .section {section}
    .zero 6
