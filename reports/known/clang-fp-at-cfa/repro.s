	.cfi_startproc
	.cfi_offset rbp, 0
	nop
	.cfi_endproc
