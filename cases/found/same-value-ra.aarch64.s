// RA is saved and then called unchanged.
	.text
	.type f, %function
f:
	.cfi_startproc
	.cfi_offset x30, -16
	.cfi_same_value x30
	nop
	.cfi_endproc
	.size f, .-f
