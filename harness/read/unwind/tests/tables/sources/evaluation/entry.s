# At the entry the return address is in its slot on AMD64, in the link register elsewhere.
# show: callers registers
#
# case: amd64
# target: amd64
# expect: 0x1000..0x1100 cfa=rsp+8 ra=[cfa-8] fp=same
# expect: caller: cfa sp+8 ra [sp] sp sp+8 fp sp+512
# expect: restored r3=r3 r6=sp+512 r7=sp+8 r12=r12 r13=r13 r14=r14 r15=r15
#
# case: aarch64
# target: aarch64
# expect: 0x1000..0x1100 cfa=sp ra=same fp=same
# expect: caller: cfa sp ra r30 sp sp fp sp+512
# expect: restored r19=r19 r20=r20 r21=r21 r22=r22 r23=r23 r24=r24 r25=r25 r26=r26 r27=r27 r28=r28 r29=sp+512 r31=sp
#
# case: aarch64be
# target: aarch64be
# expect: 0x1000..0x1100 cfa=sp ra=same fp=same
# expect: caller: cfa sp ra r30 sp sp fp sp+512
# expect: restored r19=r19 r20=r20 r21=r21 r22=r22 r23=r23 r24=r24 r25=r25 r26=r26 r27=r27 r28=r28 r29=sp+512 r31=sp
#
# case: s390x
# target: s390x
# expect: 0x1000..0x1100 cfa=r15+160 ra=same fp=same
# expect: caller: cfa sp+160 ra r14 sp sp fp sp+512
# expect: restored r6=r6 r7=r7 r8=r8 r9=r9 r10=r10 r11=sp+512 r12=r12 r13=r13 r15=sp r24=r24 r25=r25 r26=r26 r27=r27 r28=r28 r29=r29 r30=r30 r31=r31
    .include "cfi.inc"
    simple
    done
