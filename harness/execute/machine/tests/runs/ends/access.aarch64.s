# An access to memory that is not mapped, or not in this way, is a fault with its address,
# whatever instruction makes it; the emulator checks some stores by the permission of the page
# alone.
# link: -Ttext=0x400000
# also: aarch64be
# show: end
#
# case: read
# with code: mov x0, #0x12300000000; ldr x1, [x0]
# expect: fault at 4: cannot read 8 bytes at 0x12300000000 (not mapped); the instruction is at 0x400004, after 2 steps with up to 0 frames
#
# case: write
# with code: mov x0, #0x12300000000; str x1, [x0]
# expect: fault at 4: cannot write 8 bytes at 0x12300000000 (not mapped); the instruction is at 0x400004, after 2 steps with up to 0 frames
#
# case: write to code
# with code: mov x0, #0x400000; str x1, [x0]
# expect: fault at 4: cannot write 8 bytes at 0x400000 (not permitted); the instruction is at 0x400004, after 2 steps with up to 0 frames
#
# case: dc zva of code
# with code: adr x0, .; dc zva, x0
# expect: fault at 4: cannot write 1 bytes at 0x400000 (not permitted); the instruction is at 0x400004, after 2 steps with up to 0 frames
#
# case: ldadd of code
# with code: .arch armv8.1-a; adr x0, .; ldadd x0, x1, [x0]
# expect: fault at 4: cannot write 8 bytes at 0x400000 (not permitted); the instruction is at 0x400004, after 2 steps with up to 0 frames
#
# case: casp of code
# with code: .arch armv8.1-a; adr x0, .; casp x0, x1, x2, x3, [x0]
# expect: fault at 4: cannot write 8 bytes at 0x400000 (not permitted); the instruction is at 0x400004, after 2 steps with up to 0 frames
#
# case: an SVE store, which a helper does
# with code: .arch armv8.2-a+sve; ptrue p0.b; st1b {z0.b}, p0, [x1]; nop
# expect: fault at 4: cannot write 1 bytes at 0x0 (not mapped); the instruction is at 0x400004, after 2 steps with up to 0 frames
    {code}
