# A return address left in a register is not trusted further out: the link register is not
# restored, saved or not.
# show: callers registers
#
# case: aarch64
# target: aarch64
# expect: 0x1000..0x1040 cfa=sp ra=same fp=same
# expect: caller: cfa sp ra r30 sp sp fp sp+512
# expect: restored r19=r19 r20=r20 r21=r21 r22=r22 r23=r23 r24=r24 r25=r25 r26=r26 r27=r27 r28=r28 r29=sp+512 r31=sp
# expect: 0x2000..0x2040 cfa=sp ra=[cfa+8] fp=same
# expect: caller: cfa sp ra [sp+8] sp sp fp sp+512
# expect: restored r19=r19 r20=r20 r21=r21 r22=r22 r23=r23 r24=r24 r25=r25 r26=r26 r27=r27 r28=r28 r29=sp+512 r31=sp
#
# case: aarch64be
# target: aarch64be
# expect: 0x1000..0x1040 cfa=sp ra=same fp=same
# expect: caller: cfa sp ra r30 sp sp fp sp+512
# expect: restored r19=r19 r20=r20 r21=r21 r22=r22 r23=r23 r24=r24 r25=r25 r26=r26 r27=r27 r28=r28 r29=sp+512 r31=sp
# expect: 0x2000..0x2040 cfa=sp ra=[cfa+8] fp=same
# expect: caller: cfa sp ra [sp+8] sp sp fp sp+512
# expect: restored r19=r19 r20=r20 r21=r21 r22=r22 r23=r23 r24=r24 r25=r25 r26=r26 r27=r27 r28=r28 r29=sp+512 r31=sp
#
# case: s390x
# target: s390x
# expect: 0x1000..0x1040 cfa=r15+160 ra=same fp=same
# expect: caller: cfa sp+160 ra r14 sp sp fp sp+512
# expect: restored r6=r6 r7=r7 r8=r8 r9=r9 r10=r10 r11=sp+512 r12=r12 r13=r13 r15=sp r24=r24 r25=r25 r26=r26 r27=r27 r28=r28 r29=r29 r30=r30 r31=r31
# expect: 0x2000..0x2040 cfa=r15+160 ra=[cfa+8] fp=same
# expect: caller: cfa sp+160 ra [sp+168] sp sp fp sp+512
# expect: restored r6=r6 r7=r7 r8=r8 r9=r9 r10=r10 r11=sp+512 r12=r12 r13=r13 r15=sp r24=r24 r25=r25 r26=r26 r27=r27 r28=r28 r29=r29 r30=r30 r31=r31
#
# case: further out on aarch64
# target: aarch64
# registers: 30=none
# expect: 0x1000..0x1040 cfa=sp ra=same fp=same
# expect: fault: the value of reg30 is not known in this frame
# expect: 0x2000..0x2040 cfa=sp ra=[cfa+8] fp=same
# expect: caller: cfa sp ra [sp+8] sp sp fp sp+512
# expect: restored r19=r19 r20=r20 r21=r21 r22=r22 r23=r23 r24=r24 r25=r25 r26=r26 r27=r27 r28=r28 r29=sp+512 r31=sp
#
# case: further out on s390x
# target: s390x
# registers: 14=none
# expect: 0x1000..0x1040 cfa=r15+160 ra=same fp=same
# expect: fault: the value of reg14 is not known in this frame
# expect: 0x2000..0x2040 cfa=r15+160 ra=[cfa+8] fp=same
# expect: caller: cfa sp+160 ra [sp+168] sp sp fp sp+512
# expect: restored r6=r6 r7=r7 r8=r8 r9=r9 r10=r10 r11=sp+512 r12=r12 r13=r13 r15=sp r24=r24 r25=r25 r26=r26 r27=r27 r28=r28 r29=r29 r30=r30 r31=r31
    .include "cfi.inc"
    eh_frame
    cie
    initial
    done
    fde 0x1000, 0x40
    done
    fde 0x2000, 0x40
    offset_extended_sf RA, -1
    done
