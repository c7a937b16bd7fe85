# A function that is called alone returns to the sentinel, with its return address signed
# meanwhile.
# link: -Ttext=0x400000
# start: function
# show: frames registers=30
# expect: 0 1 entry: ra 0x3ffeffee000, cfa sp+0, fp 0x0
# expect: 4 1: ra 0x3ffeffee000, cfa sp+0, fp 0x0, signed by A as 0xe50903ffeffee000
# expect: register 30 is 0xe50903ffeffee000
# expect: back at the sentinel, after 4 steps with up to 1 frames
    .arch armv8.3-a
    paciasp
    stp x29, x30, [sp, #-16]!
    ldp x29, x30, [sp], #16
    retaa
