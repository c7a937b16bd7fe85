# A jump to a label whose address the function computes is followed.
# check: explore
#
# case: in a register
# with jump: jmp *%rax
# with offset: 16
# expect: undecided, 5 of 7 reached
# expect: undecided unreached
#
# case: in a register, wrong
# with jump: jmp *%rax
# with offset: 24
# expect: error, 5 of 7 reached
# expect: error eh-frame/cfa-matches-truth at .text+0xf..0x10
# expect: undecided unreached
#
# case: by a retpoline
# with jump: call 1f; 3: pause; jmp 3b
# with offset: 16
# expect: clean, 7 of 7 reached
#
# case: by a retpoline, wrong
# with jump: call 1f; 3: pause; jmp 3b
# with offset: 24
# expect: error, 7 of 7 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x16..0x17
#
# case: by a return
# with jump: pushq %rax; .cfi_adjust_cfa_offset 8; ret
# with offset: 16
# expect: undecided, 6 of 8 reached
# expect: undecided unreached
#
# case: by a return, wrong
# with jump: pushq %rax; .cfi_adjust_cfa_offset 8; ret
# with offset: 24
# expect: error, 6 of 8 reached
# expect: error eh-frame/cfa-matches-truth at .text+0xf..0x10
# expect: undecided unreached
    .globl f
f:  .cfi_startproc
    pushq %rbx
    .cfi_adjust_cfa_offset 8
    leaq 2f(%rip), %rax
    {jump}
1:  .cfi_adjust_cfa_offset 8
    movq %rax, (%rsp)
    ret
2:  .cfi_def_cfa_offset {offset}
    popq %rbx
    .cfi_def_cfa_offset 8
    ret
    .cfi_endproc
