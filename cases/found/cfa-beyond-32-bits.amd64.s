# The CFA's offset is 2^33.
	.text
	.type f, %function
f:
	.cfi_startproc
	nop
	.cfi_def_cfa_offset 8589934592
	nop
	.cfi_endproc
	.size f, .-f
