	.cfi_startproc
	nopr 0
	.cfi_register %r14, %f2
	nopr 0
	.cfi_endproc
