# `PACM` is a no-op here, and the signature after it uses the PC. An authentication of the copy
# in the link register leaves the one on the stack signed.
# link: -Ttext=0x400000
# also: aarch64be
# show: frames
# expect: 0 0 entry
# expect: c 1 call: ra +4, cfa sp+0, fp 0x0
# expect: 14 1: ra +4, cfa sp+0, fp 0x0, signed by B as 0x5407000000400004 with PC
# expect: 30 1: ra +4, cfa sp+0, fp 0x0
# expect: 4 0 return
# expect: exit 0, after 13 steps with up to 1 frames
    .arch armv8.3-a
    bl at_c
    movz x8, #0x5d
    svc #0x0
at_c:
    .inst 0xd50324ff // pacm
    pacibsp
    mov x16, sp
    stp x29, x30, [sp, #-16]!
    autib x30, x16
    nop
    ldp x29, x30, [sp], #16
    .inst 0xd50324ff // pacm
    autibsp
    ret
