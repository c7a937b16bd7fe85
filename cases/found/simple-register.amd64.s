# A function without initial rules keeps FP in a register.
	.text
	.type f, %function
f:
	.cfi_startproc simple
	.cfi_register rbp, r12
	nop
	.cfi_endproc
	.size f, .-f
