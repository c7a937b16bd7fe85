# The status of `exit` and `exit_group` is a byte.
# link: -Ttext=0x400000
# show: end
#
# case: exit
# with code: mov $0x12a, %edi; mov $60, %eax; syscall
# expect: exit 42, after 3 steps with up to 0 frames
#
# case: exit_group
# with code: mov $42, %edi; mov $231, %eax; syscall
# expect: exit 42, after 3 steps with up to 0 frames
    {code}
