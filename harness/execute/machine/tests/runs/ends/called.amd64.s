# A function that is called alone returns to the sentinel, with SP aligned at the call, and
# finds pointers, small integers and a thread block. With SP elsewhere it is undecided.
# link: -Ttext=0x400000
# start: function
# show: frames registers=0,3
#
# case: ret
# with code: ret
# expect: 0 1 entry: ra 0x3ffeffee000, cfa sp+8, fp 0x0
# expect: register 0 is 0x0
# expect: register 3 is 0x0
# expect: back at the sentinel, after 1 steps with up to 1 frames
#
# case: pointers, integers, thread block
# with code: mov (%rdi), %rax; mov %fs:0, %rbx; mov %fs:0x28, %rdx; test %esi, %esi; js .; cmp $64, %esi; ja .; ret
# expect: 0 1 entry: ra 0x3ffeffee000, cfa sp+8, fp 0x0
# expect: register 0 is 0x0
# expect: register 3 is 0x3ef00008000
# expect: back at the sentinel, after 8 steps with up to 1 frames
#
# case: SP elsewhere
# with code: pop %rax; push %rbx; jmp *%rax
# expect: 0 1 entry: ra 0x3ffeffee000, cfa sp+8, fp 0x0
# expect: register 0 is 0x3ffeffee000
# expect: register 3 is 0x0
# expect: stack-imbalance at 3ffefbee000: at the sentinel with SP 0x3ffefffeff8 and 1 frames, after 3 steps with up to 1 frames
    {code}
