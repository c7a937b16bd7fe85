# A wrong first row is found where a separate part of the function, at a lower address, jumps
# back into it. The row is not in the CIE: `.cfi_remember_state` keeps it out.
# check: explore
#
# case: right, by name, returns
# with symbol: .globl f; .type f, %function
# with first: 8
# with end: ret
# expect: clean, 6 of 6 reached
#
# case: right, address in data, tail call
# with symbol: .data; .quad f; .text
# with first: 8
# with end: jmp *%rax
# expect: clean, 6 of 6 reached
#
# case: wrong, by name, returns
# with symbol: .globl f; .type f, %function
# with first: 24
# with end: ret
# expect: error, 6 of 6 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x3..0x4
#
# case: wrong, address in data, tail call
# with symbol: .data; .quad f; .text
# with first: 24
# with end: jmp *%rax
# expect: error, 6 of 6 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x3..0x4
    {symbol}
part: .cfi_startproc
    .cfi_def_cfa_offset 16
    nop
    jmp back
    .cfi_endproc
f:  .cfi_startproc
    .cfi_remember_state
    .cfi_def_cfa_offset {first}
    pushq %rbx
    .cfi_def_cfa_offset 16
    testl %edi, %edi
    je part
back: popq %rbx
    .cfi_def_cfa_offset 8
    {end}
    .cfi_endproc
