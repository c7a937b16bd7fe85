	.globl	_start
_start:
	.cfi_startproc
	nop
	.cfi_endproc
