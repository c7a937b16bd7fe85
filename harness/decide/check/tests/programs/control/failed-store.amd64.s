# A store that fails before a jump fails alone, as in libgfortran: the emulator reports it when
# it has already reached the jump.
# check: explore
# expect: clean, 8 of 8 reached
    .globl f
f:  .cfi_startproc
    xorl %esi, %esi
    fld1
    testl %edi, %edi
    je 1f
    fstpt (%rsi)
    jmp 2f
1:  ud2
2:  ret
    .cfi_endproc
