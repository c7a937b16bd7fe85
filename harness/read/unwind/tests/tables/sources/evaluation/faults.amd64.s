# Every fault: reading outside the stack; the red zone down to its last word, and below it; an
# unknown register; a CFA below zero; a slot and an SP that leave 64 bits.
# show: callers
#
# case: outside
# with rule: def_cfa_offset 0xc04
# expect: 0x1000..0x1100 cfa=rsp+3076 ra=[cfa-8] fp=same
# expect: fault: reads outside the stack at sp+3068
#
# case: the last word of the red zone
# with rule: def_cfa_sf 7, 15
# expect: 0x1000..0x1100 cfa=rsp-120 ra=[cfa-8] fp=same
# expect: caller: cfa sp-120 ra [sp-128] sp sp-120 fp sp+512
#
# case: below it
# with rule: def_cfa_sf 7, 16
# expect: 0x1000..0x1100 cfa=rsp-128 ra=[cfa-8] fp=same
# expect: fault: reads dead stack at sp-136
#
# case: unknown register
# with rule: register 16, 41
# expect: 0x1000..0x1100 cfa=rsp+8 ra=reg41 fp=same
# expect: fault: the value of reg41 is not known in this frame
#
# case: below zero
# with rule: def_cfa_sf 3, 0x1000
# expect: 0x1000..0x1100 cfa=rbx-32768 ra=[cfa-8] fp=same
# expect: fault: address arithmetic overflows
#
# case: a slot
# with rule: offset_extended_sf 16, 1 << 58
# expect: 0x1000..0x1100 cfa=rsp+8 ra=[cfa-2305843009213693952] fp=same
# expect: fault: address arithmetic overflows
#
# case: an SP
# with rule: val_offset_sf 7, 1 << 58
# expect: 0x1000..0x1100 cfa=rsp+8 ra=[cfa-8] fp=same sp=cfa-2305843009213693952
# expect: fault: address arithmetic overflows
    .include "cfi.inc"
    simple
    {rule}
    done
