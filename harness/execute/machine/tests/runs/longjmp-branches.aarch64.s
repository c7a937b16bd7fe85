# A longjmp may branch before it lands, as GCC 16 expands __builtin_longjmp where the guarded
# control stack may be in use.
# link: -Ttext=0x400000
# also: aarch64be
# expect: 0 0 entry
# expect: c 1 call
# expect: 20 2 call
# expect: 2c 3 call
# expect: 40 3 jump
# expect: 18 1 unwound
# expect: 4 0 return
# expect: exit 0, after 14 steps with up to 3 frames
    bl F
    movz x8, #0x5d
    svc #0x0
F:
    stp x29, x30, [sp, #-16]!
    bl g
    udf #0
at_18:
    ldp x29, x30, [sp], #16 // where it lands
    ret
g:
    stp x29, x30, [sp, #-16]!
    bl h
    udf #0
h:
    sub sp, sp, #0x20
    adr x5, at_18
    add sp, sp, #0x30
    cbz xzr, at_40
    udf #0
at_40:
    br x5
