# A jump that a processor's feature replaces: by no-ops, so that control continues after it, and by
# a jump elsewhere. The replacements are in a section that no table describes.
# check: explore
# with first: 16
# with second: 16
#
# case: right
# expect: clean, 9 of 9 reached
#
# case: wrong after the jump
# with first: 24
# expect: error, 9 of 9 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x5..0xa
#
# case: wrong where the replacement jumps
# with second: 24
# expect: error, 9 of 9 reached
# expect: error eh-frame/cfa-matches-truth at .text+0xa..0xd
    .globl f
f:  .cfi_startproc
    pushq %rbx
    .cfi_def_cfa_offset 16
    .cfi_offset %rbx, -16
    movl %edi, %ebx
1:  jmp 5f
2:  .cfi_def_cfa_offset {first}
    addl $1, %ebx
    jmp 5f
3:  .cfi_def_cfa_offset {second}
    addl $2, %ebx
    .cfi_def_cfa_offset 16
5:  movl %ebx, %eax
    popq %rbx
    .cfi_def_cfa_offset 8
    .cfi_restore %rbx
    ret
    .cfi_endproc
    .size f, .-f
    .section .altinstructions, "a"
    .long 1b - ., 6f - .
    .long 0x2a
    .byte 2b - 1b, 0
    .long 1b - ., 6f - .
    .long 0x2b
    .byte 2b - 1b, 7f - 6f
    .section .altinstr_replacement, "ax"
6:  jmp 3b
7:
