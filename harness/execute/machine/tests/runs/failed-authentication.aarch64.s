# A failed authentication ends the run and leaves the frame signed.
# link: -Ttext=0x400000
# also: aarch64be
# show: frames
# expect: 0 0 entry
# expect: c 1 call: ra +4, cfa sp+0, fp 0x0
# expect: 10 1: ra +4, cfa sp+0, fp 0x0, signed by A as 0xdd4e000000400004
# expect: fault at 14: cannot execute 4 bytes at 0x4000000000400004 (not mapped); the instruction is at 0x400014, after 4 steps with up to 1 frames
    .arch armv8.3-a
    bl at_c
    movz x8, #0x5d
    svc #0x0
at_c:
    paciasp
    autibsp
    ret
