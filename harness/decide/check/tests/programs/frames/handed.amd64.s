# A function that is handed its frame is not judged by another: as in libffi's `ffi_call_SYSV`,
# its caller's values are saved in the frame that it received, and a row has to find them there.
# check: explore
# with save: movq %rax, 8(%rdi)
# with rule:
#
# case: saved in it
# expect: undecided, 7 of 7 reached
# expect: undecided handed-frame at .text+0x0..0x12: 1 answers
#
# case: another slot of the return address
# with rule: .cfi_offset %rip, -16
# expect: error, 7 of 7 reached
# expect: error eh-frame/ra-matches-truth at .text+0xd..0x10
#
# case: no return address
# with rule: .cfi_undefined %rip
# expect: error, 7 of 7 reached
# expect: error eh-frame/ra-matches-truth at .text+0xd..0x10
#
# case: another slot of FP
# with rule: .cfi_offset %rbp, -8
# expect: error, 7 of 7 reached
# expect: error eh-frame/fp-matches-truth at .text+0xd..0x10
#
# case: nothing saved in it
# with save: movq %rax, 8(%rsp)
# expect: error, 7 of 7 reached
# expect: error eh-frame/ra-matches-truth at .text+0xe..0x11
    .globl f
f:  .cfi_startproc
    pushq %rbx
    .cfi_def_cfa_offset 16
    .cfi_offset %rbx, -16
    movq 8(%rsp), %rax
    {save}
    movq %rdi, %rbx
    .cfi_def_cfa %rbx, 16
    {rule}
    movq %rsi, %rax
    .cfi_restore %rip
    .cfi_restore %rbp
    .cfi_def_cfa %rsp, 16
    popq %rbx
    .cfi_def_cfa %rsp, 8
    ret
    .cfi_endproc
