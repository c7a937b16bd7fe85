# A call of a stub begins the frame where the stub goes, if it is a part of the calling function
# by its symbol: gcc's code for `blr x1` with `-mharden-sls=blr`.
# link: -Ttext=0x400000
# also: aarch64be
#
# case: a part of the caller
# function: 0 24
# expect: 0 0 entry
# expect: 14 0 jump
# expect: 24 1 call
# expect: 8 0 return
# expect: exit 0, after 8 steps with up to 1 frames
#
# case: without a symbol
# expect: 0 0 entry
# expect: 14 1 call
# expect: 24 1 jump
# expect: 8 0 return
# expect: exit 0, after 8 steps with up to 1 frames
    adr x1, at_24
    bl at_14
    nop
    movz x8, #0x5d
    svc #0x0
at_14:
    mov x16, x1
    br x16
    dsb sy
    isb
at_24:
    ret
