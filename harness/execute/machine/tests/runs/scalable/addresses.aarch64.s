# A predicate says how far addresses are apart: 24 bytes are six elements, and the last of eight is
# not active; with the addresses exchanged all elements are; the distance of `whilerw` is absolute.
# Each result is the number of active elements, and NZCV.
# link: -Ttext=0x400000
# show: end registers=10,11,12,13,14,15
# expect: register 10 is 0x6
# expect: register 11 is 0xa0000000
# expect: register 12 is 0x8
# expect: register 13 is 0x80000000
# expect: register 14 is 0x6
# expect: register 15 is 0xa0000000
# expect: exit 0, after 14 steps with up to 0 frames
    .arch armv8.5-a+sve2
    mov x2, #24
    mov x3, #48
    ptrue p0.b
    whilewr p1.s, x2, x3
    mrs x11, nzcv
    cntp x10, p0, p1.s
    whilewr p1.s, x3, x2
    mrs x13, nzcv
    cntp x12, p0, p1.s
    whilerw p1.s, x3, x2
    mrs x15, nzcv
    cntp x14, p0, p1.s
    mov x8, #93
    svc #0
