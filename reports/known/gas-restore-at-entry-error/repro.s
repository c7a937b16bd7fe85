	.cfi_startproc
	.cfi_restore rbp
	nop
	.cfi_endproc
