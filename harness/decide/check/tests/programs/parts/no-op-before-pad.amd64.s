# gcc puts a no-op, with the row of the CIE, before a landing pad at the start of a part: jumps and
# throws enter the part, calls do not.
# check: explore
#
# case: right
# with row: 32
# expect: clean, 10 of 10 reached
#
# case: wrong
# with row: 40
# expect: error, 10 of 10 reached
# expect: error eh-frame/cfa-matches-truth at .text.unlikely+0x1..0x1a
# expect: undecided unconfirmed-state at .text.unlikely+0x0..0x1a: 2 answers
    .globl f
f:  .cfi_startproc
    subq $24, %rsp
    .cfi_def_cfa_offset 32
    testl %edi, %edi
    jne 3f
    addq $24, %rsp
    .cfi_def_cfa_offset 8
    ret
    .cfi_endproc
    .section .text.unlikely, "ax"
part: .cfi_startproc
    .cfi_lsda 0x1b, area
    nop
    .cfi_def_cfa_offset {row}
2:  movl $1, %edi
    call raise
    call abort
3:  call throw
4:  call abort
    .cfi_endproc
    .section .gcc_except_table, "a"
area: .byte 0xff, 0xff, 1, 9f - 1f
1:  .uleb128 3b - part, 4b - 3b, 2b - part, 0
9:
