# A wrong first row is found where a separate part of the function, at a lower address, jumps
# back into it. The row is not in the CIE: `.cfi_remember_state` keeps it out.
# check: explore
#
# case: right, by name, returns
# with symbol: .globl f; .type f, %function
# with first: 0
# with end: ret
# expect: clean, 5 of 5 reached
#
# case: right, address in data, tail call
# with symbol: .data; .quad f; .text
# with first: 0
# with end: br x9
# expect: clean, 5 of 5 reached
#
# case: wrong, by name, returns
# with symbol: .globl f; .type f, %function
# with first: 16
# with end: ret
# expect: error, 5 of 5 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x8..0xc
#
# case: wrong, address in data, tail call
# with symbol: .data; .quad f; .text
# with first: 16
# with end: br x9
# expect: error, 5 of 5 reached
# expect: error eh-frame/cfa-matches-truth at .text+0x8..0xc
    {symbol}
part: .cfi_startproc
    .cfi_def_cfa_offset 16
    nop
    b back
    .cfi_endproc
f:  .cfi_startproc
    .cfi_remember_state
    .cfi_def_cfa_offset {first}
    sub sp, sp, #16
    .cfi_def_cfa_offset 16
    cbz x0, part
back: add sp, sp, #16
    .cfi_def_cfa_offset 0
    {end}
    .cfi_endproc
