	.cfi_startproc
	.cfi_offset rip, -16
	nop
	.cfi_endproc
