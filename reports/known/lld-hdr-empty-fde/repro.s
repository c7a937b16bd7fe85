	.cfi_startproc
	.cfi_endproc
	.cfi_startproc
	nop
	.cfi_endproc
