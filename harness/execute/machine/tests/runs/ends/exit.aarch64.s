# The status of `exit` and `exit_group` is a byte.
# link: -Ttext=0x400000
# also: aarch64be
# show: end
#
# case: exit
# with code: mov x0, #42; mov x8, #93; svc #0
# expect: exit 42, after 3 steps with up to 0 frames
#
# case: exit_group
# with code: mov x0, #42; mov x8, #94; svc #0
# expect: exit 42, after 3 steps with up to 0 frames
    {code}
