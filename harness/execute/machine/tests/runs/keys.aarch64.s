# The same return address and SP at the same instruction have another signature with another key.
# link: -Ttext=0x400000
# also: aarch64be
# show: frames
#
# case: key A
# with sign: paciasp
# with return: retaa
# expect: 0 0 entry
# expect: c 1 call: ra +4, cfa sp+0, fp 0x0
# expect: 10 1: ra +4, cfa sp+0, fp 0x0, signed by A as 0xdd4e000000400004
# expect: 4 0 return
# expect: exit 0, after 5 steps with up to 1 frames
#
# case: key B
# with sign: pacibsp
# with return: retab
# expect: 0 0 entry
# expect: c 1 call: ra +4, cfa sp+0, fp 0x0
# expect: 10 1: ra +4, cfa sp+0, fp 0x0, signed by B as 0x5407000000400004
# expect: 4 0 return
# expect: exit 0, after 5 steps with up to 1 frames
    .arch armv8.3-a
    bl f
    mov x8, #93
    svc #0
f:  {sign}
    {return}
