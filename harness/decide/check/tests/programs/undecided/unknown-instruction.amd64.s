# A path ends at bytes that mean nothing, and at a jump whose targets are not found. The report
# names them.
# check: explore
# show: unreached
#
# case: bytes
# with code: .byte 0x06
# expect: clean, 6 of 7 reached
# expect: of 7 instructions at .text+0x0..0x12: 0 unconfirmed, 1 unreached, stopped by (undecoded 06)
#
# case: jump
# with code: jmp *%rax
# expect: clean, 7 of 8 reached
# expect: of 8 instructions at .text+0x0..0x13: 0 unconfirmed, 1 unreached, stopped by ffe0 jmp *%rax
    .globl f
    .type f, @function
f:  .cfi_startproc
    sub $8, %rsp
    .cfi_def_cfa_offset 16
    test %edi, %edi
    je 1f
    xor %esi, %esi
    {code}
    xor %edx, %edx
1:  add $8, %rsp
    .cfi_def_cfa_offset 8
    ret
    .cfi_endproc
    .size f, .-f
