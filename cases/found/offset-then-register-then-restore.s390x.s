# RA is saved from the start, then in a register, then restored.
	.text
	.type f, %function
f:
	.cfi_startproc
	.cfi_offset %r14, 16
	nopr
	.cfi_register %r14, %f8
	.cfi_restore %r14
	nopr
	.cfi_endproc
	.size f, .-f
