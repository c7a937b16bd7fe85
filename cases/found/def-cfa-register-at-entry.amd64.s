# The CFA's register changes before the first instruction.
	.text
	.type f, %function
f:
	.cfi_startproc
	.cfi_def_cfa_register rbp
	nop
	.cfi_endproc
	.size f, .-f
