# `.debug_frame` is read only without `.eh_frame`, or if that has only a terminator.
#
# case: both
# with eh_frame: simple; done
# with debug_frame: debug_frame; cie other, none; initial; done; fde 0x2000, 16, other; done
# expect: 0x1000..0x1100 cfa=rsp+8 ra=[cfa-8] fp=same
#
# case: one
# with eh_frame:
# with debug_frame: debug_frame; cie other, none; initial; done; fde 0x2000, 16, other; done
# expect: 0x2000..0x2010 cfa=rsp+8 ra=[cfa-8] fp=undefined
#
# case: a terminator
# with eh_frame: eh_frame; .4byte 0
# with debug_frame: debug_frame; cie other, none; initial; done; fde 0x2000, 16, other; done
# expect: 0x2000..0x2010 cfa=rsp+8 ra=[cfa-8] fp=undefined
#
# case: nothing
# with eh_frame: eh_frame
# with debug_frame:
    .include "cfi.inc"
    {eh_frame}
    {debug_frame}
