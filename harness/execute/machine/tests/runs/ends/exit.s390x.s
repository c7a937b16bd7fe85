# The status of `exit` and `exit_group` is a byte.
# link: -Ttext=0x400000
# show: end
#
# case: exit
# with code: lghi %r2, 42; svc 1
# expect: exit 42, after 2 steps with up to 0 frames
#
# case: exit_group
# with code: lghi %r2, 42; lghi %r1, 248; svc 0
# expect: exit 42, after 3 steps with up to 0 frames
    {code}
