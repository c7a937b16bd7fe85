# FP is saved 2^31 bytes below the CFA, the most that 4 bytes hold.
	.text
	.type f, %function
f:
	.cfi_startproc
	nop
	.cfi_offset rbp, -2147483648
	nop
	.cfi_endproc
	.size f, .-f
