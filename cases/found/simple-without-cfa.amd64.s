# A function without initial rules never names a CFA.
	.text
	.type f, %function
f:
	.cfi_startproc simple
	nop
	.cfi_endproc
	.size f, .-f
