# A signal frame restores the link register beside the PC: interrupted code has its own, and the
# PC has a separate column (here 33).
# show: callers registers
# expect: 0x1000..0x1040 cfa=sp+128 ra=[cfa-8] fp=same signal
# expect: caller: cfa sp+128 ra [sp+120] sp sp+128 fp sp+512, signal
# expect: restored r19=r19 r20=r20 r21=r21 r22=r22 r23=r23 r24=r24 r25=r25 r26=r26 r27=r27 r28=r28 r29=sp+512 r30=[sp+112] r31=sp+128
    .include "cfi.inc"
    eh_frame
    cie augmentation=zRS, column=33
    def_cfa 31, 0x80
    offset_extended 33, 1
    offset 30, 2
    done
    fde 0x1000, 0x40
    done
