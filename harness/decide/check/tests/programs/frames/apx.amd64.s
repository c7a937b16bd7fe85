# Instructions of APX on SP and FP are executed by their definition, others lose what they write.
# check: explore
#
# case: right
# with row: .cfi_def_cfa_offset 32
# with first: r12
# with second: rbx
# expect: clean, 25 of 25 reached
#
# case: one word
# with row: .cfi_def_cfa_offset 24
# with first: r12
# with second: rbx
# expect: error, 25 of 25 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x9..0x36
#
# case: in the other order
# with row: .cfi_def_cfa_offset 32
# with first: rbx
# with second: r12
# expect: error, 25 of 25 reached
# expect: error eh-frame/register-matches-truth at .text+0x9..0x36
    .globl f
    .type f, @function
f:  .cfi_startproc
    .byte 0xd5, 0x08, 0x55  # pushp %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset rbp, -16
    .byte 0x62, 0xf4, 0x9c, 0x18, 0xff, 0xf3  # push2p %rbx, %r12
    {row}
    .cfi_offset {first}, -24
    .cfi_offset {second}, -32
    .byte 0x62, 0xe4, 0xe4, 0x18, 0x01, 0xc0  # add %r16, %rax, %rbx
    .byte 0x62, 0xdc, 0xfc, 0x0c, 0x83, 0xee, 0x01  # {nf} sub $1, %r30
    .byte 0x62, 0xf4, 0x7f, 0x18, 0x45, 0xc0  # setzune %al
    .byte 0x62, 0xf4, 0xf4, 0x1c, 0x44, 0x18  # cfcmove (%rax), %rbx, %rcx
    .byte 0x62, 0xf4, 0xc4, 0x04, 0x39, 0xc3  # ccmpe {dfv=of} %rax, %rbx
    jne 1f
    .byte 0x62, 0xea, 0xf4, 0x00, 0xf2, 0xd0  # andn %r16, %r17, %r18
1:  .byte 0x62, 0xd4, 0xe4, 0x18, 0x8f, 0xc4  # pop2p %r12, %rbx
    .cfi_def_cfa_offset 16
    .cfi_restore r12
    .cfi_restore rbx
    .byte 0xd5, 0x08, 0x5d  # popp %rbp
    .cfi_def_cfa_offset 8
    .cfi_restore rbp
    ret
    .cfi_endproc
    .size f, .-f
    .globl g
    .type g, @function
g:  .cfi_startproc
    .byte 0xd5, 0x10, 0x50  # push %r16
    .cfi_def_cfa_offset 16
    .byte 0xd5, 0x18, 0x89, 0xe1  # mov %rsp, %r17
    .byte 0x62, 0xf4, 0xdc, 0x18, 0x83, 0xec, 0x40  # sub $64, %rsp, %rsp
    .cfi_def_cfa_offset 80
    .byte 0xd5, 0x48, 0x8d, 0x54, 0x24, 0x10  # lea 16(%rsp), %r18
    .byte 0xd5, 0x18, 0x8d, 0x62, 0xf0  # lea -16(%r18), %rsp
    .byte 0xd5, 0x18, 0x8b, 0x18  # mov (%r16), %rbx
    .byte 0xd5, 0x58, 0x6b, 0xc8, 0x05  # imul $5, %r16, %r17
    .byte 0xd5, 0x58, 0x8d, 0x62, 0x40  # lea 64(%r18), %r20
    .byte 0xd5, 0x48, 0x89, 0xd4  # mov %r18, %rsp
    .cfi_def_cfa_offset 64
    .byte 0xd5, 0x18, 0x8d, 0x64, 0x24, 0xf0  # lea -16(%r20), %rsp
    .cfi_def_cfa_offset 16
    .byte 0xd5, 0x11, 0x5f  # pop %r31
    .cfi_def_cfa_offset 8
    .byte 0xd5, 0x00, 0xa1
    .quad h  # jmpabs $h
    .cfi_endproc
    .size g, .-g
    .globl h
    .type h, @function
h:  .cfi_startproc
    ret
    .cfi_endproc
    .size h, .-h
