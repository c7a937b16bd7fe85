	.cfi_startproc
	.cfi_register rbp, r10
	nop
	.cfi_endproc
