# A function that is called alone returns to the sentinel, with SP aligned at the call, and
# finds pointers, small integers and a thread block.
# link: -Ttext=0x400000
# also: aarch64be
# start: function
# show: frames
#
# case: ret
# with code: ret
# expect: 0 1 entry: ra 0x3ffeffee000, cfa sp+0, fp 0x0
# expect: back at the sentinel, after 1 steps with up to 1 frames
#
# case: pointers, integers, thread block
# with code: ldr x9, [x0]; ldr x9, [x3]; mrs x9, tpidr_el0; ldr x9, [x9]; cmp w1, #64; b.hi .; ret
# expect: 0 1 entry: ra 0x3ffeffee000, cfa sp+0, fp 0x0
# expect: back at the sentinel, after 7 steps with up to 1 frames
    {code}
