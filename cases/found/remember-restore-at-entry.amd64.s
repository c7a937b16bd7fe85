# A state is remembered and restored before the first instruction.
	.text
	.type f, %function
f:
	.cfi_startproc
	.cfi_remember_state
	.cfi_restore_state
	nop
	.cfi_endproc
	.size f, .-f
