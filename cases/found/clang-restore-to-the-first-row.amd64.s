# FP is saved before the first instruction and restored after it.
	.text
	.type f, %function
f:
	.cfi_startproc
	.cfi_offset rbp, -16
	nop
	.cfi_restore rbp
	nop
	.cfi_endproc
	.size f, .-f
