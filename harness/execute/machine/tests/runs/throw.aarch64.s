# A throw ends the call that it came from, as eh_return does it.
# link: -Ttext=0x400000
# also: aarch64be
# expect: 0 0 entry
# expect: c 1 call
# expect: 20 2 call
# expect: 2c 3 call
# expect: 18 1 unwound
# expect: 4 0 return
# expect: exit 0, after 13 steps with up to 3 frames
    bl F
    movz x8, #0x5d
    svc #0x0
F:
    stp x29, x30, [sp, #-16]!
    bl g
    udf #0
at_18:
    ldp x29, x30, [sp], #16 // landing pad
    ret
g:
    stp x29, x30, [sp, #-16]!
    bl h
    udf #0
h: // h, as eh_return does
    sub sp, sp, #0x20
    adr x5, at_18
    add sp, sp, #0x30
    br x5
