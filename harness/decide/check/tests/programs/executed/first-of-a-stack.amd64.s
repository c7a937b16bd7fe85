# A function that nothing called, the first of a stack that the program switched to as
# coroutines do, is judged as if it had been: `change` keeps SP and continues in `first`, with
# nothing or its own address as return address. Rows that deny a caller are right, and so are
# rows that claim what a call would have left.
# check: execute
# link:
#
# case: claims what a call leaves
# with row:
# expect: clean, exited 0
#
# case: denies a caller
# with row: .cfi_undefined 16; .cfi_remember_state;
# expect: clean, exited 0
#
# case: another CFA
# with row: .cfi_adjust_cfa_offset -16
# expect: error, exited 0
# expect: error eh-frame/cfa-matches-truth at 0x40102d..0x40102e
#
# case: another FP
# with row: .cfi_val_offset 6, 0
# expect: error, exited 0
# expect: error eh-frame/fp-matches-truth at 0x40102d..0x40102e
#
# case: denies it in one row of several
# with row: .cfi_undefined 16
# expect: clean, exited 0
#
# case: another return address
# with row: .cfi_offset 16, 8
# expect: error, exited 0
# expect: error eh-frame/ra-matches-truth at 0x40102d..0x40102e
#
# case: a claim where other rows deny a caller
# with row: .cfi_undefined 16; .cfi_remember_state; .cfi_offset 16, 8
# expect: error, exited 0
# expect: error eh-frame/ra-matches-truth at 0x40102d..0x40102e
    .globl _start
_start: .cfi_startproc
    .cfi_undefined rip
    call change
    mov $60, %eax
    xor %edi, %edi
    syscall
    .cfi_endproc
change: .cfi_startproc
    mov %rsp, kept(%rip)
    lea top(%rip), %rsp
    ret
    .cfi_endproc
    .skip 16
    .type first, STT_FUNC
first: .cfi_startproc
    .cfi_remember_state
    {row}
    nop
    .cfi_restore_state
    mov kept(%rip), %rsp
    ret
    .cfi_endproc
    .size first, .-first
    .data
kept: .quad 0, 0
    .skip 256
top: .quad first, 0, 0, 5
