	.cfi_startproc simple
	.cfi_offset rbp, -16
	.cfi_def_cfa rsp, 8
	nop
	.cfi_endproc
