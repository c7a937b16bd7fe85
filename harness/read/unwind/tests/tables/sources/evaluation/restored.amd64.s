# Registers with a rule are restored; a caller-saved one that the table marks as unchanged, too;
# one that cannot be read is unknown, and the others are known.
# show: callers registers
# expect: 0x1000..0x1040 cfa=rsp+64 ra=[cfa-8] fp=[cfa-24]
# expect: caller: cfa sp+64 ra [sp+56] sp sp+64 fp [sp+40]
# expect: restored r1=r1 r3=[sp+48] r6=[sp+40] r7=sp+64 r13=r10 r14=r14 r15=r15
# expect: 0x2000..0x2040 cfa=rsp+8 ra=[cfa-8] fp=same
# expect: caller: cfa sp+8 ra [sp] sp sp+8 fp sp+512
# expect: restored r6=sp+512 r7=sp+8 r12=[sp] r13=r13 r14=r14 r15=r15
    .include "cfi.inc"
    eh_frame
    cie
    initial
    done
    fde 0x1000, 0x40
    def_cfa_offset 0x40
    offset 3, 2
    offset 6, 3
    undefined 12
    register 13, 10
    same_value 1
    offset 16, 1
    done
    fde 0x2000, 0x40
    offset_extended_sf 3, 0x1000
    offset 12, 1
    done
