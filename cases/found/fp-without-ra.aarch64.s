// FP is saved and RA is not.
	.text
	.type f, %function
f:
	.cfi_startproc
	nop
	.cfi_offset x29, -16
	nop
	.cfi_endproc
	.size f, .-f
