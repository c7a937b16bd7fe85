# A section that is named without flags is not loaded: its code is none, whatever is in it.
# check: static
# as: --gsframe
# ignore: header/obsolete-version
# show: messages
#
# case: without flags
# with flags:
# expect: error, not executed
# expect: error elf/relocation-target at 0x0..0x2 : .extra is not code: it has no SHF_ALLOC and SHF_EXECINSTR
# expect: warning elf/section-type : sh_type is 0x1, expected 0x6ffffff4 (SHT_GNU_SFRAME)
#
# case: loaded, not executable
# with flags: , "a"
# expect: error, not executed
# expect: error eh-frame/range-in-code at .extra+0x0..0x2 : .eh_frame entry at 0x18 covers .extra+0x0..0x2, which is not code
# expect: error elf/relocation-target at .extra+0x0..0x2 : .extra is not code: it has no SHF_EXECINSTR
# expect: warning elf/section-type : sh_type is 0x1, expected 0x6ffffff4 (SHT_GNU_SFRAME)
#
# case: executable
# with flags: , "ax"
# expect: clean, not executed
# expect: warning elf/section-type : sh_type is 0x1, expected 0x6ffffff4 (SHT_GNU_SFRAME)
    .section .extra{flags}
    .type g, @function
g:  .cfi_startproc
    nop
    ret
    .cfi_endproc
    .size g, . - g
