# A function without initial rules saves FP.
	.text
	.type f, %function
f:
	.cfi_startproc simple
	.cfi_offset rbp, -16
	nop
	.cfi_endproc
	.size f, .-f
