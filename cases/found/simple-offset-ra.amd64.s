# A function without initial rules says where RA is, and never names a CFA.
	.text
	.type f, %function
f:
	.cfi_startproc simple
	nop
	.cfi_offset rip, 16
	nop
	.cfi_endproc
	.size f, .-f
