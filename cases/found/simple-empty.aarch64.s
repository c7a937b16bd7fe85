// A function without initial rules has no directive at all.
	.text
	.type f, %function
f:
	.cfi_startproc simple
	nop
	.cfi_endproc
	.size f, .-f
