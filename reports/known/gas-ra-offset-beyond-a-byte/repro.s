	.cfi_startproc
	.cfi_offset rip, -136
	nop
	.cfi_endproc
