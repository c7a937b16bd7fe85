	.cfi_startproc
	.cfi_def_cfa_offset 164
	nopr 0
	.cfi_endproc
