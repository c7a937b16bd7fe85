one_leaf:
	.cfi_startproc
	nop
	.cfi_endproc
