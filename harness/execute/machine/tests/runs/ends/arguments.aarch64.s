# A process finds its arguments: argc is the first word of the initial stack.
# link: -Ttext=0x400000
# also: aarch64be
# show: end
#
# case: two
# arguments: one two
# with code: ldr x0, [sp]; mov x8, #93; svc #0
# expect: exit 3, after 3 steps with up to 0 frames
#
# case: none
# with code: ldr x0, [sp]; mov x8, #93; svc #0
# expect: exit 1, after 3 steps with up to 0 frames
    {code}
