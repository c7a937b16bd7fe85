# FP is kept in a register.
	.text
	.type f, %function
f:
	.cfi_startproc
	nop
	.cfi_register rbp, r12
	nop
	.cfi_endproc
	.size f, .-f
