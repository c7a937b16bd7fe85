# A loop without end stops at the step limit.
# link: -Ttext=0x400000
# also: aarch64be
# steps: 1234
# show: end
#
# case: 1234 steps
# with code: b .
# expect: step-limit at 0: the limit of 1234 steps was reached, after 1234 steps with up to 0 frames
    {code}
