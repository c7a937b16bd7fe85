# FP is in a register and restored before the first instruction.
	.text
	.type f, %function
f:
	.cfi_startproc
	.cfi_register rbp, r12
	.cfi_restore rbp
	nop
	.cfi_endproc
	.size f, .-f
