# The CFA is based on r10.
	.text
	.type f, %function
f:
	.cfi_startproc
	nop
	.cfi_def_cfa r10, 8
	nop
	.cfi_endproc
	.size f, .-f
