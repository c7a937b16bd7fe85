# An access to memory that is not mapped, or not in this way, is a fault with its address,
# whatever instruction makes it; the emulator checks some stores by the permission of the page
# alone. The emulator gives no address on s390x.
# link: -Ttext=0x400000
# show: end
#
# case: read
# with code: llihf %r1, 0x1234; lg %r2, 0(%r1)
# expect: fault at 6: program interruption at 0x400006; the program counter is 0x400006, after 2 steps with up to 0 frames
#
# case: jump
# with code: llihf %r1, 0x1234; br %r1
# expect: fault at 6: cannot execute 2 bytes at 0x123400000000 (not mapped); the instruction is at 0x400006, after 2 steps with up to 0 frames
#
# case: write to code
# with code: lgfi %r1, 4194304; stg %r2, 0(%r1)
# expect: fault at 6: program interruption at 0x400006; the program counter is 0x400006, after 2 steps with up to 0 frames
#
# case: mvc to code
# with code: larl %r1, .; mvc 0(16,%r1), 0(%r15)
# expect: fault at 6: program interruption at 0x400006; the program counter is 0x400006, after 2 steps with up to 0 frames
#
# case: xc of code
# with code: larl %r1, .; xc 0(16,%r1), 0(%r1)
# expect: fault at 6: program interruption at 0x400006; the program counter is 0x400006, after 2 steps with up to 0 frames
#
# case: cs of code
# with code: larl %r1, .; cs %r2, %r3, 0(%r1)
# expect: fault at 6: program interruption at 0x400006; the program counter is 0x400006, after 2 steps with up to 0 frames
#
# case: laa of code
# with code: larl %r1, .; laa %r2, %r3, 0(%r1)
# expect: fault at 6: program interruption at 0x400006; the program counter is 0x400006, after 2 steps with up to 0 frames
    {code}
