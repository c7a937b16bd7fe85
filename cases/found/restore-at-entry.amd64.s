# A register is restored before the first instruction.
	.text
	.type f, %function
f:
	.cfi_startproc
	.cfi_restore rbp
	nop
	.cfi_endproc
	.size f, .-f
