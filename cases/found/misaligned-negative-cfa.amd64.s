# The CFA lies 12 bytes below SP.
	.text
	.type f, %function
f:
	.cfi_startproc
	.cfi_def_cfa_offset -12
	nop
	.cfi_endproc
	.size f, .-f
