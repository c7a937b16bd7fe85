# An instruction that the emulator lacks is named.
# link: -Ttext=0x400000
# show: end
#
# case: bfdot
# with code: bfdot z0.s, z0.h, z0.h
# expect: illegal-instruction at 4: illegal instruction bfdot at 0x400004, after 2 steps with up to 0 frames
#
# case: irg
# with code: irg x0, x0
# expect: illegal-instruction at 4: illegal instruction irg at 0x400004, after 2 steps with up to 0 frames
#
# case: addg
# with code: addg x0, x0, #16, #0
# expect: illegal-instruction at 4: illegal instruction addg at 0x400004, after 2 steps with up to 0 frames
#
# case: ldsminb
# with code: .inst 0x38215002 // ldsminb w1, w2, [x0]
# expect: illegal-instruction at 4: illegal instruction ldsminb at 0x400004, after 2 steps with up to 0 frames
#
# case: ldsmax
# with code: .inst 0xb8214002 // ldsmax w1, w2, [x0]
# expect: illegal-instruction at 4: illegal instruction ldsmax at 0x400004, after 2 steps with up to 0 frames
    .arch armv8.6-a+sve+bf16+memtag
    nop
    {code}
