# FP is saved at the CFA itself, offset 0.
	.text
	.type f, %function
f:
	.cfi_startproc
	nop
	.cfi_offset rbp, 0
	nop
	.cfi_endproc
	.size f, .-f
