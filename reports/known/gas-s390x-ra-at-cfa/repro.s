	.cfi_startproc
	.cfi_offset %r14, 0
	nopr 0
	.cfi_endproc
