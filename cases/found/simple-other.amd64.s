# A function without initial rules says where another register is, and never names a CFA.
	.text
	.type f, %function
f:
	.cfi_startproc simple
	nop
	.cfi_offset rbx, -16
	nop
	.cfi_endproc
	.size f, .-f
