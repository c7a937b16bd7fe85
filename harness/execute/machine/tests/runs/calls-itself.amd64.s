# A call of itself is a call: 64 KiB of stack, less what the process vectors take, are eight bytes a
# frame.
# link: -Ttext=0x400000
# show: end
# expect: fault at 0: cannot write 8 bytes at 0x3ffeffefff8 (not mapped); the instruction is at 0x400000, after 8141 steps with up to 8140 frames
    call .
