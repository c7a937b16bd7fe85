# A directive after the last instruction makes a row that covers no byte, whatever it means: the
# source has it, and no reader finds it.
# check: explore
# as: --gsframe
# ignore: header/obsolete-version header/sorted-in-linked
# show: blame functions
#
# case: a CFA below SP
# with last: .cfi_def_cfa_offset -24
# expect: clean, 3 of 3 reached
# expect: warning elf/section-type in .sframe by assembler
# expect: warning row/unreachable at .text+0x0..0x2 in f by compiler
#
# case: no CFI for it in `.eh_frame` either
# with last: .cfi_remember_state; .cfi_restore_state
# expect: clean, 3 of 3 reached
# expect: warning elf/section-type in .sframe by assembler
# expect: warning row/unreachable at .text+0x0..0x2 in f by compiler
# expect: info row/repeats at .text+0x0..0x2 in f by assembler
#
# case: no slot
# with last: .cfi_def_cfa_offset 21
# expect: clean, 3 of 3 reached
# expect: warning elf/section-type in .sframe by assembler
# expect: warning row/unreachable at .text+0x0..0x2 in f by compiler
    .type f, @function
f:  .cfi_startproc
    nop
    ret
    {last}
    .cfi_endproc
    .size f, . - f
    .globl g
    .type g, @function
g:  .cfi_startproc
    call f
    ret
    .cfi_endproc
    .size g, . - g
