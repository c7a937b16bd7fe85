one:
	.cfi_startproc
	nop
	.cfi_endproc
one_leaf:
	.cfi_startproc
	nop
	.cfi_endproc
