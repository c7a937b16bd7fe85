# A loop on SP makes all its turns: rustc and clang probe the stack page by page, and the row
# after it is right only if the loop has run all its iterations.
# check: explore
#
# case: 1 turns
# with frame: 1*64
# with row: 72
# expect: clean, 18 of 18 reached
#
# case: 1 turns, wrong
# with frame: 1*64
# with row: 80
# expect: error, 18 of 18 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x25..0x2a
#
# case: 2 turns
# with frame: 2*64
# with row: 136
# expect: clean, 18 of 18 reached
#
# case: 2 turns, wrong
# with frame: 2*64
# with row: 144
# expect: error, 18 of 18 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x25..0x2a
#
# case: 3 turns
# with frame: 3*64
# with row: 200
# expect: clean, 18 of 18 reached
#
# case: 3 turns, wrong
# with frame: 3*64
# with row: 208
# expect: error, 18 of 18 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x28..0x2d
#
# case: 40 turns
# with frame: 40*64
# with row: 2568
# expect: clean, 18 of 18 reached
#
# case: 40 turns, wrong
# with frame: 40*64
# with row: 2576
# expect: error, 18 of 18 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x28..0x2d
    .globl f
f:  .cfi_startproc
    leaq -{frame}(%rsp), %r11
    movq %rsp, %r10
    .cfi_def_cfa %r10, 8
1:  movl %edi, %eax
    .rept 9
    incl %eax
    .endr
    subq $64, %rsp
    cmpq %r11, %rsp
    jne 1b
    .cfi_def_cfa %rsp, {row}
    incl %eax
    movq %r10, %rsp
    .cfi_def_cfa %rsp, 8
    ret
    .cfi_endproc
