# `.debug_frame` that never mentions FP has no rule for it: a register without a rule is
# undefined (DWARF 5, 6.4.1), and producers that have rules for FP omit them where it has the
# caller's value.
#
# case: never
# with section: debug_frame
# with mention:
# expect: 0x1000..0x1020 cfa=rsp+8 ra=[cfa-8] fp=undefined
# expect: 0x2000..0x2020 cfa=rsp+8 ra=[cfa-8] fp=undefined
#
# case: in another function
# with section: debug_frame
# with mention: advance 1; offset 6, 2
# expect: 0x1000..0x1020 cfa=rsp+8 ra=[cfa-8] fp=same
# expect: 0x2000..0x2001 cfa=rsp+8 ra=[cfa-8] fp=same
# expect: 0x2001..0x2020 cfa=rsp+8 ra=[cfa-8] fp=[cfa-16]
#
# case: never, .eh_frame
# with section: eh_frame
# with mention:
# expect: 0x1000..0x1020 cfa=rsp+8 ra=[cfa-8] fp=same
# expect: 0x2000..0x2020 cfa=rsp+8 ra=[cfa-8] fp=same
    .include "cfi.inc"
    {section}
    cie augmentation=none
    initial
    done
    fde 0x1000, 0x20
    done
    fde 0x2000, 0x20
    {mention}
    done
