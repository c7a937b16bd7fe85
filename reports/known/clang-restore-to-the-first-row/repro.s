	.cfi_startproc
	.cfi_offset rbp, -16
	nop
	.cfi_restore rbp
	nop
	.cfi_endproc
