# A return at the ELF entry jumps to the number of arguments: 1, where nothing is mapped.
# link: -Ttext=0x400000
# show: end
# expect: fault at 2: cannot execute at 0x1 (not mapped); the instruction is at 0x400002, after 3 steps with up to 0 frames
    nop
    nop
    ret
