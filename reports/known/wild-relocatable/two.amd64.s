two:
	.cfi_startproc
	nop
	.cfi_endproc
two_leaf:
	.cfi_startproc
	nop
	.cfi_endproc
