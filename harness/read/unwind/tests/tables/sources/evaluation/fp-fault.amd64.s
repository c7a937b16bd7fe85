# A fault of FP is of FP alone.
# show: callers registers
# expect: 0x1000..0x1040 cfa=rsp+8 ra=[cfa-8] fp=[cfa-144]
# expect: caller: cfa sp+8 ra [sp] sp sp+8 fp fault: reads dead stack at sp-136
# expect: restored r3=r3 r7=sp+8 r12=r12 r13=r13 r14=r14 r15=r15
# expect: 0x2000..0x2040 cfa=rsp+8 ra=[cfa-8] fp=[cfa-2305843009213693952]
# expect: caller: cfa sp+8 ra [sp] sp sp+8 fp fault: address arithmetic overflows
# expect: restored r3=r3 r7=sp+8 r12=r12 r13=r13 r14=r14 r15=r15
    .include "cfi.inc"
    eh_frame
    cie
    initial
    done
    fde 0x1000, 0x40
    offset_extended_sf 6, 18
    done
    fde 0x2000, 0x40
    offset_extended_sf 6, 1 << 58
    done
