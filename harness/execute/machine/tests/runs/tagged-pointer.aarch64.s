# The top byte of a data address is ignored, as under Linux; an address of more than 48 bits is
# a fault, whose message has the address.
# link: -Ttext=0x400000 -Tbss=0x600000
# also: aarch64be
# show: end
#
# case: 0x5a00
# with tag: 0x5a00
# expect: exit 42, after 8 steps with up to 0 frames
#
# case: 0xff00
# with tag: 0xff00
# expect: exit 42, after 8 steps with up to 0 frames
#
# case: 0x5a01
# with tag: 0x5a01
# expect: fault at c: cannot write 8 bytes at 0x5a01000000600008 (not mapped); the instruction is at 0x40000c, after 4 steps with up to 0 frames
    movz x1, #0x60, lsl #16
    movk x1, #{tag}, lsl #48
    mov x2, #42
    str x2, [x1, #8]
    and x1, x1, #0xffffffff
    ldr x0, [x1, #8]
    mov x8, #93
    svc #0
    .bss
    .skip 0x1000
