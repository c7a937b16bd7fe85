	.cfi_startproc
	.cfi_def_cfa_offset 24
	.cfi_rel_offset rbp, 8
	nop
	.cfi_endproc
