	.cfi_startproc
	nop
	.cfi_offset rbp, -0x80000008
	.cfi_endproc
