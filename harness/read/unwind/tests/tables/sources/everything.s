# Most features of CFI in one section.
# show: callers
#
# case: eh_frame on amd64
# target: amd64
# with section: eh_frame
# with version: 1
# with letters: zPLRS
# expect: 0x1000..0x1001 cfa=rsp+8 ra=[cfa-8] fp=same signal
# expect: caller: cfa sp+8 ra [sp] sp sp+8 fp sp+512, signal
# expect: 0x1001..0x1002 cfa=rsp+320 ra=[cfa-8] fp=[cfa-16] signal
# expect: caller: cfa sp+320 ra [sp+312] sp sp+320 fp [sp+304], signal
# expect: 0x1002..0x1003 cfa=rbp+16 ra=[cfa+8] fp=[cfa-16] sp=cfa-24 signal
# expect: caller: cfa sp+528 ra [sp+536] sp sp+504 fp [sp+512], signal
# expect: 0x1003..0x1004 cfa=rsp+8 ra=[cfa+8] fp=expression sp=cfa-24 signal
# expect: caller: cfa sp+8 ra [sp+16] sp sp-16 fp fault: reads outside the stack at r11, signal
# expect: 0x1004..0x1005 cfa=rsp+8 ra=expression fp=expression sp=cfa-24 signal
# expect: caller: cfa sp+8 ra 0x0 sp sp-16 fp fault: reads outside the stack at r11, signal
# expect: 0x1005..0x1006 cfa=rsp+320 ra=[cfa-8] fp=rbx signal
# expect: caller: cfa sp+320 ra [sp+312] sp sp+320 fp r3, signal
# expect: 0x1006..0x1100 cfa=rsp+320 ra=[cfa-8] fp=same signal
# expect: caller: cfa sp+320 ra [sp+312] sp sp+320 fp sp+512, signal
# expect: 0x1080..0x1087 cfa=rsp+8 ra=[cfa-8] fp=same signal
# expect: caller: cfa sp+8 ra [sp] sp sp+8 fp sp+512, signal
# expect: 0x1087..0x1180 cfa=rsp+8 ra=undefined fp=same signal
# expect: outermost
#
# case: debug_frame on amd64
# target: amd64
# with section: debug_frame
# with version: 4
# with letters: S
# expect: 0x1000..0x1001 cfa=rsp+8 ra=[cfa-8] fp=same signal
# expect: caller: cfa sp+8 ra [sp] sp sp+8 fp sp+512, signal
# expect: 0x1001..0x1002 cfa=rsp+320 ra=[cfa-8] fp=[cfa-16] signal
# expect: caller: cfa sp+320 ra [sp+312] sp sp+320 fp [sp+304], signal
# expect: 0x1002..0x1003 cfa=rbp+16 ra=[cfa+8] fp=[cfa-16] sp=cfa-24 signal
# expect: caller: cfa sp+528 ra [sp+536] sp sp+504 fp [sp+512], signal
# expect: 0x1003..0x1004 cfa=rsp+8 ra=[cfa+8] fp=expression sp=cfa-24 signal
# expect: caller: cfa sp+8 ra [sp+16] sp sp-16 fp fault: reads outside the stack at r11, signal
# expect: 0x1004..0x1005 cfa=rsp+8 ra=expression fp=expression sp=cfa-24 signal
# expect: caller: cfa sp+8 ra 0x0 sp sp-16 fp fault: reads outside the stack at r11, signal
# expect: 0x1005..0x1006 cfa=rsp+320 ra=[cfa-8] fp=rbx signal
# expect: caller: cfa sp+320 ra [sp+312] sp sp+320 fp r3, signal
# expect: 0x1006..0x1100 cfa=rsp+320 ra=[cfa-8] fp=same signal
# expect: caller: cfa sp+320 ra [sp+312] sp sp+320 fp sp+512, signal
# expect: 0x1080..0x1087 cfa=rsp+8 ra=[cfa-8] fp=same signal
# expect: caller: cfa sp+8 ra [sp] sp sp+8 fp sp+512, signal
# expect: 0x1087..0x1180 cfa=rsp+8 ra=undefined fp=same signal
# expect: outermost
#
# case: eh_frame on aarch64
# target: aarch64
# with section: eh_frame
# with version: 1
# with letters: zPLRSB
# expect: 0x1000..0x1004 cfa=sp ra=same fp=same signal
# expect: caller: cfa sp ra r30 sp sp fp sp+512, signal
# expect: 0x1004..0x1008 cfa=sp+320 ra=same fp=[cfa-16] signal
# expect: caller: cfa sp+320 ra r30 sp sp+320 fp [sp+304], signal
# expect: 0x1008..0x100c cfa=x29+16 ra=[cfa+8] fp=[cfa-16] sp=cfa-24 signal
# expect: caller: cfa sp+528 ra [sp+536] sp sp+504 fp [sp+512], signal
# expect: 0x100c..0x1010 cfa=expression ra=[cfa+8] fp=expression sp=cfa-24 signal
# expect: fault: reads outside the stack at r23
# expect: 0x1010..0x1014 cfa=expression ra=expression fp=expression sp=cfa-24 signal
# expect: caller: cfa r15 ra 0x0 sp 0xff7 fp fault: reads outside the stack at r11, signal
# expect: 0x1014..0x1018 cfa=sp+320 ra=same fp=x3 signed:B signal
# expect: caller: cfa sp+320 ra r30 sp sp+320 fp r3, signed by B as 0x101e, signal
# expect: 0x1018..0x101c cfa=sp+320 ra=same fp=x3 signal
# expect: caller: cfa sp+320 ra r30 sp sp+320 fp r3, signal
# expect: 0x101c..0x1020 cfa=sp+320 ra=same fp=x3 signed:B+pc signal
# expect: caller: cfa sp+320 ra r30 sp sp+320 fp r3, signed by B with PC as 0x101e, signal
# expect: 0x1020..0x1100 cfa=sp+320 ra=same fp=same signed:B+pc signal
# expect: caller: cfa sp+320 ra r30 sp sp+320 fp sp+512, signed by B with PC as 0x101e, signal
# expect: 0x1080..0x109c cfa=sp ra=same fp=same signal
# expect: caller: cfa sp ra r30 sp sp fp sp+512, signal
# expect: 0x109c..0x1180 cfa=sp ra=undefined fp=same signal
# expect: outermost
#
# case: debug_frame on aarch64
# target: aarch64
# with section: debug_frame
# with version: 4
# with letters: S
# expect: 0x1000..0x1004 cfa=sp ra=same fp=same signal
# expect: caller: cfa sp ra r30 sp sp fp sp+512, signal
# expect: 0x1004..0x1008 cfa=sp+320 ra=same fp=[cfa-16] signal
# expect: caller: cfa sp+320 ra r30 sp sp+320 fp [sp+304], signal
# expect: 0x1008..0x100c cfa=x29+16 ra=[cfa+8] fp=[cfa-16] sp=cfa-24 signal
# expect: caller: cfa sp+528 ra [sp+536] sp sp+504 fp [sp+512], signal
# expect: 0x100c..0x1010 cfa=expression ra=[cfa+8] fp=expression sp=cfa-24 signal
# expect: fault: reads outside the stack at r23
# expect: 0x1010..0x1014 cfa=expression ra=expression fp=expression sp=cfa-24 signal
# expect: caller: cfa r15 ra 0x0 sp 0xff7 fp fault: reads outside the stack at r11, signal
# expect: 0x1014..0x1018 cfa=sp+320 ra=same fp=x3 signed:A signal
# expect: caller: cfa sp+320 ra r30 sp sp+320 fp r3, signed by A as 0x101e, signal
# expect: 0x1018..0x101c cfa=sp+320 ra=same fp=x3 signal
# expect: caller: cfa sp+320 ra r30 sp sp+320 fp r3, signal
# expect: 0x101c..0x1020 cfa=sp+320 ra=same fp=x3 signed:A+pc signal
# expect: caller: cfa sp+320 ra r30 sp sp+320 fp r3, signed by A with PC as 0x101e, signal
# expect: 0x1020..0x1100 cfa=sp+320 ra=same fp=same signed:A+pc signal
# expect: caller: cfa sp+320 ra r30 sp sp+320 fp sp+512, signed by A with PC as 0x101e, signal
# expect: 0x1080..0x109c cfa=sp ra=same fp=same signal
# expect: caller: cfa sp ra r30 sp sp fp sp+512, signal
# expect: 0x109c..0x1180 cfa=sp ra=undefined fp=same signal
# expect: outermost
#
# case: eh_frame on aarch64be
# target: aarch64be
# with section: eh_frame
# with version: 1
# with letters: zPLRSB
# expect: 0x1000..0x1004 cfa=sp ra=same fp=same signal
# expect: caller: cfa sp ra r30 sp sp fp sp+512, signal
# expect: 0x1004..0x1008 cfa=sp+320 ra=same fp=[cfa-16] signal
# expect: caller: cfa sp+320 ra r30 sp sp+320 fp [sp+304], signal
# expect: 0x1008..0x100c cfa=x29+16 ra=[cfa+8] fp=[cfa-16] sp=cfa-24 signal
# expect: caller: cfa sp+528 ra [sp+536] sp sp+504 fp [sp+512], signal
# expect: 0x100c..0x1010 cfa=expression ra=[cfa+8] fp=expression sp=cfa-24 signal
# expect: fault: reads outside the stack at r23
# expect: 0x1010..0x1014 cfa=expression ra=expression fp=expression sp=cfa-24 signal
# expect: caller: cfa r15 ra 0x0 sp 0xff7 fp fault: reads outside the stack at r11, signal
# expect: 0x1014..0x1018 cfa=sp+320 ra=same fp=x3 signed:B signal
# expect: caller: cfa sp+320 ra r30 sp sp+320 fp r3, signed by B as 0x101e, signal
# expect: 0x1018..0x101c cfa=sp+320 ra=same fp=x3 signal
# expect: caller: cfa sp+320 ra r30 sp sp+320 fp r3, signal
# expect: 0x101c..0x1020 cfa=sp+320 ra=same fp=x3 signed:B+pc signal
# expect: caller: cfa sp+320 ra r30 sp sp+320 fp r3, signed by B with PC as 0x101e, signal
# expect: 0x1020..0x1100 cfa=sp+320 ra=same fp=same signed:B+pc signal
# expect: caller: cfa sp+320 ra r30 sp sp+320 fp sp+512, signed by B with PC as 0x101e, signal
# expect: 0x1080..0x109c cfa=sp ra=same fp=same signal
# expect: caller: cfa sp ra r30 sp sp fp sp+512, signal
# expect: 0x109c..0x1180 cfa=sp ra=undefined fp=same signal
# expect: outermost
#
# case: debug_frame on aarch64be
# target: aarch64be
# with section: debug_frame
# with version: 4
# with letters: S
# expect: 0x1000..0x1004 cfa=sp ra=same fp=same signal
# expect: caller: cfa sp ra r30 sp sp fp sp+512, signal
# expect: 0x1004..0x1008 cfa=sp+320 ra=same fp=[cfa-16] signal
# expect: caller: cfa sp+320 ra r30 sp sp+320 fp [sp+304], signal
# expect: 0x1008..0x100c cfa=x29+16 ra=[cfa+8] fp=[cfa-16] sp=cfa-24 signal
# expect: caller: cfa sp+528 ra [sp+536] sp sp+504 fp [sp+512], signal
# expect: 0x100c..0x1010 cfa=expression ra=[cfa+8] fp=expression sp=cfa-24 signal
# expect: fault: reads outside the stack at r23
# expect: 0x1010..0x1014 cfa=expression ra=expression fp=expression sp=cfa-24 signal
# expect: caller: cfa r15 ra 0x0 sp 0xff7 fp fault: reads outside the stack at r11, signal
# expect: 0x1014..0x1018 cfa=sp+320 ra=same fp=x3 signed:A signal
# expect: caller: cfa sp+320 ra r30 sp sp+320 fp r3, signed by A as 0x101e, signal
# expect: 0x1018..0x101c cfa=sp+320 ra=same fp=x3 signal
# expect: caller: cfa sp+320 ra r30 sp sp+320 fp r3, signal
# expect: 0x101c..0x1020 cfa=sp+320 ra=same fp=x3 signed:A+pc signal
# expect: caller: cfa sp+320 ra r30 sp sp+320 fp r3, signed by A with PC as 0x101e, signal
# expect: 0x1020..0x1100 cfa=sp+320 ra=same fp=same signed:A+pc signal
# expect: caller: cfa sp+320 ra r30 sp sp+320 fp sp+512, signed by A with PC as 0x101e, signal
# expect: 0x1080..0x109c cfa=sp ra=same fp=same signal
# expect: caller: cfa sp ra r30 sp sp fp sp+512, signal
# expect: 0x109c..0x1180 cfa=sp ra=undefined fp=same signal
# expect: outermost
#
# case: eh_frame on s390x
# target: s390x
# with section: eh_frame
# with version: 1
# with letters: zPLRS
# expect: 0x1000..0x1001 cfa=r15+160 ra=same fp=same signal
# expect: caller: cfa sp+160 ra r14 sp sp fp sp+512, signal
# expect: 0x1001..0x1002 cfa=r15+320 ra=same fp=[cfa-16] signal
# expect: caller: cfa sp+320 ra r14 sp sp+160 fp [sp+304], signal
# expect: 0x1002..0x1003 cfa=r11+16 ra=[cfa+8] fp=[cfa-16] sp=cfa-24 signal
# expect: caller: cfa sp+664 ra [sp+536] sp sp+504 fp [sp+512], signal
# expect: 0x1003..0x1004 cfa=expression ra=[cfa+8] fp=expression sp=cfa-24 signal
# expect: fault: reads outside the stack at r23
# expect: 0x1004..0x1005 cfa=expression ra=expression fp=expression sp=cfa-24 signal
# expect: caller: cfa 0x1097 ra 0x0 sp 0xff7 fp fault: reads outside the stack at r11, signal
# expect: 0x1005..0x1006 cfa=r15+320 ra=same fp=r3 signal
# expect: caller: cfa sp+320 ra r14 sp sp+160 fp r3, signal
# expect: 0x1006..0x1100 cfa=r15+320 ra=same fp=same signal
# expect: caller: cfa sp+320 ra r14 sp sp+160 fp sp+512, signal
# expect: 0x1080..0x1087 cfa=r15+160 ra=same fp=same signal
# expect: caller: cfa sp+160 ra r14 sp sp fp sp+512, signal
# expect: 0x1087..0x1180 cfa=r15+160 ra=undefined fp=same signal
# expect: outermost
#
# case: debug_frame on s390x
# target: s390x
# with section: debug_frame
# with version: 4
# with letters: S
# expect: 0x1000..0x1001 cfa=r15+160 ra=same fp=same signal
# expect: caller: cfa sp+160 ra r14 sp sp fp sp+512, signal
# expect: 0x1001..0x1002 cfa=r15+320 ra=same fp=[cfa-16] signal
# expect: caller: cfa sp+320 ra r14 sp sp+160 fp [sp+304], signal
# expect: 0x1002..0x1003 cfa=r11+16 ra=[cfa+8] fp=[cfa-16] sp=cfa-24 signal
# expect: caller: cfa sp+664 ra [sp+536] sp sp+504 fp [sp+512], signal
# expect: 0x1003..0x1004 cfa=expression ra=[cfa+8] fp=expression sp=cfa-24 signal
# expect: fault: reads outside the stack at r23
# expect: 0x1004..0x1005 cfa=expression ra=expression fp=expression sp=cfa-24 signal
# expect: caller: cfa 0x1097 ra 0x0 sp 0xff7 fp fault: reads outside the stack at r11, signal
# expect: 0x1005..0x1006 cfa=r15+320 ra=same fp=r3 signal
# expect: caller: cfa sp+320 ra r14 sp sp+160 fp r3, signal
# expect: 0x1006..0x1100 cfa=r15+320 ra=same fp=same signal
# expect: caller: cfa sp+320 ra r14 sp sp+160 fp sp+512, signal
# expect: 0x1080..0x1087 cfa=r15+160 ra=same fp=same signal
# expect: caller: cfa sp+160 ra r14 sp sp fp sp+512, signal
# expect: 0x1087..0x1180 cfa=r15+160 ra=undefined fp=same signal
# expect: outermost
    .include "cfi.inc"
    {section}
    cie version={version}, augmentation={letters}
    initial
    done
    fde 0x1000, 0x100
    advance 1
    def_cfa_offset 320
    offset FP, 2
    remember_state
    advance1 1
    def_cfa_sf FP, -2
    offset_extended_sf RA, -1
    val_offset SP, 3
    advance2 1
    def_cfa_expression
    plt
    value
    expression FP
    breg 3, 8
    deref
    value
    advance4 1
    val_expression RA
    lit 0
    dup
    bra -4
    skip 0
    value
    advance 1
    restore_state
    register FP, 3
    undefined 4
    same_value 5
    args_size 16
    .if RA == 30
    negate_ra_state
    advance 1
    negate_ra_state_with_pc
    advance 1
    set_ra_state 2, -300
    .endif
    advance 1
    restore FP
    restore_extended RA
    done
    fde 0x1080, 0x100
    advance 7
    undefined RA
    done
