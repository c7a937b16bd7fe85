# A system call at the end leads nowhere: `exit` and `rt_sigreturn` do not return, and the code
# after them is not part of the function although no other code leads there.
# check: explore
#
# case: a system call
# with last: syscall
# expect: clean, 2 of 3 reached
#
# case: another instruction
# with last: nop
# expect: error, 2 of 2 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x6..0x9
    .globl f
f:  .cfi_startproc
    movl $60, %eax
    {last}
    .cfi_endproc
    .cfi_startproc simple
    .cfi_signal_frame
    .cfi_def_cfa %rsp, 24
    .cfi_offset %rip, -8
    nop
1:  jmp 1b
    .cfi_endproc
