# An interrupt handler with an error code has its return address above it: gcc's handlers, with
# and without a call at their entry, and clang's, in which no row counts it.
# check: explore
#
# case: gcc
# with entry:
# with counted: .cfi_def_cfa_offset 16
# with pushed: 24
# with popped: 16
# with released: 8
# expect: clean, 5 of 5 reached
#
# case: gcc with a call
# with entry: call g
# with counted: .cfi_def_cfa_offset 16
# with pushed: 24
# with popped: 16
# with released: 8
# expect: error, 6 of 6 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x0..0x5
#
# case: clang
# with entry:
# with counted:
# with pushed: 16
# with popped: 8
# with released: 8
# expect: error, 5 of 5 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x0..0x7
    .globl f
f:  .cfi_startproc
    {entry}
    {counted}
    pushq %rax
    .cfi_def_cfa_offset {pushed}
    cld
    popq %rax
    .cfi_def_cfa_offset {popped}
    addq $8, %rsp
    .cfi_def_cfa_offset {released}
    iretq
    .cfi_endproc
