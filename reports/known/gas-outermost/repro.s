	.cfi_startproc
	.cfi_undefined rip
	nop
	.cfi_endproc
