two:
	.cfi_startproc
	nop
	.cfi_endproc
