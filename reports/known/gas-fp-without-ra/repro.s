	.cfi_startproc
	.cfi_offset x29, -16
	nop
	.cfi_endproc
