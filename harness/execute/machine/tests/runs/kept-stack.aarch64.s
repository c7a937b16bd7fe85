# A callee may return with stack kept for its caller, as clang outlines an allocation on the
# stack at -Oz.
# link: -Ttext=0x400000
# also: aarch64be
# show: frames
# expect: 0 0 entry
# expect: c 1 call: ra +4, cfa sp+0, fp 0x0
# expect: 28 2 call: ra +18, cfa sp-16, fp sp-16
# expect: 18 1 return: ra +4, cfa sp+0, fp 0x0
# expect: 4 0 return
# expect: exit 0, after 12 steps with up to 2 frames
    bl f
    movz x8, #0x5d
    svc #0x0
f:
    stp x29, x30, [sp, #-16]!
    add x29, sp, #0x0
    bl outlined
    nop
    add sp, x29, #0x0
    ldp x29, x30, [sp], #16
    ret
outlined:
    sub sp, sp, #0x20
    ret
