	.cfi_startproc
	nop
	.cfi_register rbp, r12
	nop
	.cfi_endproc
