# A function that is called alone returns to the sentinel.
# link: -Ttext=0x400000
# start: function
# show: frames registers=14
# expect: 0 1 entry: ra 0x3ffeffee000, cfa sp+160, fp 0x0
# expect: register 14 is 0x3ffeffee000
# expect: back at the sentinel, after 4 steps with up to 1 frames
    stmg %r11,%r15,88(%r15)
    aghi %r15,-160
    lmg %r11,%r15,248(%r15)
    br %r14
