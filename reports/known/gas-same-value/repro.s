	.cfi_startproc
	nop
	.cfi_offset rbp, -16
	nop
	.cfi_same_value rbp
	nop
	.cfi_endproc
