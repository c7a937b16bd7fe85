	.globl one
one:
	.cfi_startproc
	nop
	.cfi_endproc
