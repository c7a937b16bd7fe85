# The CFA's offset is 164, no multiple of 8.
	.text
	.type f, %function
f:
	.cfi_startproc
	.cfi_def_cfa_offset 164
	nopr
	.cfi_endproc
	.size f, .-f
