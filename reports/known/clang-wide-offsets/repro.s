	.cfi_startproc
	.cfi_def_cfa_offset 0x100000010
	nop
	.cfi_endproc
