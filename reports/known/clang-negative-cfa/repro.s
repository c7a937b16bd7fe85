	.cfi_startproc
	nop
	.cfi_def_cfa_offset -16
	nop
	.cfi_endproc
