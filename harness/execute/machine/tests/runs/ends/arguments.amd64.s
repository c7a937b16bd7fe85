# A process finds its arguments: argc is the first word of the initial stack.
# link: -Ttext=0x400000
# show: end
#
# case: two
# arguments: one two
# with code: mov (%rsp), %edi; mov $60, %eax; syscall
# expect: exit 3, after 3 steps with up to 0 frames
#
# case: none
# with code: mov (%rsp), %edi; mov $60, %eax; syscall
# expect: exit 1, after 3 steps with up to 0 frames
    {code}
