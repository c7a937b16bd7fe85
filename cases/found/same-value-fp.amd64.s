# FP is saved and at once called unchanged.
	.text
	.type f, %function
f:
	.cfi_startproc
	.cfi_offset rbp, -16
	.cfi_same_value rbp
	nop
	.cfi_endproc
	.size f, .-f
