# FP is saved and restored before the first instruction.
	.text
	.type f, %function
f:
	.cfi_startproc
	.cfi_remember_state
	.cfi_offset rbp, -16
	.cfi_restore rbp
	nop
	.cfi_endproc
	.size f, .-f
