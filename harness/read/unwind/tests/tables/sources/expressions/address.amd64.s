# An address expression is loaded through: the address of the slot of FP is itself in a slot.
# show: callers
# memory: 70000410=70000480
# expect: 0x1000..0x1010 cfa=rsp+8 ra=[cfa-8] fp=expression
# expect: caller: cfa sp+8 ra [sp] sp sp+8 fp [sp+128]
    .include "cfi.inc"
    eh_frame
    cie
    initial
    done
    fde 0x1000, 0x10
    expression 6
    breg 7, 0x10
    deref
    value
    done
