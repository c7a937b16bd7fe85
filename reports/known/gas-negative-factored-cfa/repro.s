	.cfi_startproc
	nop
	.cfi_def_cfa_offset -12
	nop
	.cfi_endproc
