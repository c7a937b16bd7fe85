# A row that begins inside an instruction holds from the next one on.
# check: explore
# expect: error, 4 of 4 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x6..0x9
    .globl f
f:  .cfi_startproc
    subq $24, %rsp
    .cfi_def_cfa_offset 32
    .byte 0x66
    .cfi_def_cfa_offset 16
    .byte 0x90
    movq %rdi, %rax
    .cfi_def_cfa_offset 32
    addq $24, %rsp
    .cfi_def_cfa_offset 8
    ret
    .cfi_endproc
