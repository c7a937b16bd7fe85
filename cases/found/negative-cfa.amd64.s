# The CFA lies 16 bytes below SP.
	.text
	.type f, %function
f:
	.cfi_startproc
	.cfi_def_cfa_offset -16
	nop
	.cfi_endproc
	.size f, .-f
