# Vectors have the requested length: x0 is their length in bytes, x1 in 8 bytes, x4 what `addvl`
# moves SP by; DWARF register 46 is VG.
# link: -Ttext=0x400000
# also: aarch64be
# show: end registers=0,1,4,46
#
# case: 128
# vector-bits: 128
# expect: register 0 is 0x10
# expect: register 1 is 0x2
# expect: register 4 is 0x10
# expect: register 46 is 0x2
# expect: exit 16, after 9 steps with up to 0 frames
#
# case: 256
# vector-bits: 256
# expect: register 0 is 0x20
# expect: register 1 is 0x4
# expect: register 4 is 0x20
# expect: register 46 is 0x4
# expect: exit 32, after 9 steps with up to 0 frames
#
# case: 512
# vector-bits: 512
# expect: register 0 is 0x40
# expect: register 1 is 0x8
# expect: register 4 is 0x40
# expect: register 46 is 0x8
# expect: exit 64, after 9 steps with up to 0 frames
#
# case: 1024
# vector-bits: 1024
# expect: register 0 is 0x80
# expect: register 1 is 0x10
# expect: register 4 is 0x80
# expect: register 46 is 0x10
# expect: exit 128, after 9 steps with up to 0 frames
#
# case: 2048
# vector-bits: 2048
# expect: register 0 is 0x100
# expect: register 1 is 0x20
# expect: register 4 is 0x100
# expect: register 46 is 0x20
# expect: exit 0, after 9 steps with up to 0 frames
    .arch armv8.2-a+sve
    rdvl x0, #1
    cntd x1
    mov x2, sp
    addvl sp, sp, #-1
    mov x3, sp
    addvl sp, sp, #1
    sub x4, x2, x3
    mov x8, #93
    svc #0
