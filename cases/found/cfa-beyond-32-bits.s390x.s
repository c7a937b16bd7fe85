# The CFA's offset is 2^31 + 160.
	.text
	.type f, %function
f:
	.cfi_startproc
	.cfi_def_cfa_offset 2147483808
	nopr
	.cfi_endproc
	.size f, .-f
