# Calls, tail calls, and returns by any register.
# link: -Ttext=0x400000
# also: aarch64be
# show: frames
# expect: 0 0 entry
# expect: 18 1 call: ra +4, cfa sp+0, fp 0x0
# expect: 2c 2 call: ra +24, cfa sp-16, fp sp-16
# expect: 34 2 jump
# expect: 24 1 return: ra +4, cfa sp+0, fp 0x0
# expect: 4 0 return
# expect: 34 1 call: ra +c, cfa sp+0, fp 0x0
# expect: c 0 return
# expect: 10 1 call: ra +10, cfa sp+0, fp 0x0
# expect: exit 0, after 18 steps with up to 2 frames
    bl f
    adr x16, h
    blr x16
    bl at_10
at_10:
    movz x8, #0x5d
    svc #0x0
f:
    stp x29, x30, [sp, #-16]!
    add x29, sp, #0x0
    bl g
    ldp x29, x30, [sp], #16
    ret
g:
    b h
    udf #0
h:
    mov x1, x30
    movz x30, #0x0
    br x1
