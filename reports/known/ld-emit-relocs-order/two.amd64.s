	.section .text.two,"ax",@progbits
two_leaf:
	.cfi_startproc
	nop
	.cfi_endproc
