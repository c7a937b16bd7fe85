# Frames with saved registers.
# show: callers
#
# case: amd64
# target: amd64
# expect: 0x1000..0x1100 cfa=rbp+64 ra=[cfa-24] fp=[cfa-32]
# expect: caller: cfa sp+576 ra [sp+552] sp sp+576 fp [sp+544]
#
# case: aarch64
# target: aarch64
# expect: 0x1000..0x1100 cfa=x29+64 ra=[cfa-24] fp=[cfa-32]
# expect: caller: cfa sp+576 ra [sp+552] sp sp+576 fp [sp+544]
#
# case: aarch64be
# target: aarch64be
# expect: 0x1000..0x1100 cfa=x29+64 ra=[cfa-24] fp=[cfa-32]
# expect: caller: cfa sp+576 ra [sp+552] sp sp+576 fp [sp+544]
#
# case: s390x
# target: s390x
# expect: 0x1000..0x1100 cfa=r11+64 ra=[cfa-24] fp=[cfa-32]
# expect: caller: cfa sp+576 ra [sp+552] sp sp+416 fp [sp+544]
    .include "cfi.inc"
    simple
    def_cfa FP, 0x40
    offset_extended RA, 3
    offset FP, 4
    done
