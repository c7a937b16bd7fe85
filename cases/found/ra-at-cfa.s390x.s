# RA is saved at the CFA itself, offset 0.
	.text
	.type f, %function
f:
	.cfi_startproc
	.cfi_offset %r14, 0
	nopr
	.cfi_endproc
	.size f, .-f
