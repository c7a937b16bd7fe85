// A function without initial rules saves RA.
	.text
	.type f, %function
f:
	.cfi_startproc simple
	.cfi_offset x30, -16
	nop
	.cfi_endproc
	.size f, .-f
