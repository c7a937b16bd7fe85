# A process finds its arguments: argc is the first word of the initial stack.
# link: -Ttext=0x400000
# show: end
#
# case: two
# arguments: one two
# with code: lg %r2, 0(%r15); svc 1
# expect: exit 3, after 2 steps with up to 0 frames
#
# case: none
# with code: lg %r2, 0(%r15); svc 1
# expect: exit 1, after 2 steps with up to 0 frames
    {code}
