	.cfi_startproc
	.cfi_def_cfa rbx, 16
	nop
	.cfi_endproc
