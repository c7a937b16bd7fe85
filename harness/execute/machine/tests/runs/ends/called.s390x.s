# A function that is called alone returns to the sentinel, with SP aligned at the call, and
# finds pointers, small integers and a thread block.
# link: -Ttext=0x400000
# start: function
# show: frames
#
# case: ret
# with code: br %r14
# expect: 0 1 entry: ra 0x3ffeffee000, cfa sp+160, fp 0x0
# expect: back at the sentinel, after 1 steps with up to 1 frames
#
# case: pointers and thread block
# with code: lg %r1, 0(%r2); lg %r1, 0(%r3); ear %r1, %a0; sllg %r1, %r1, 32; ear %r1, %a1; lg %r1, 0(%r1); br %r14
# expect: 0 1 entry: ra 0x3ffeffee000, cfa sp+160, fp 0x0
# expect: back at the sentinel, after 7 steps with up to 1 frames
    {code}
