# A state is remembered within another, and both are restored.
	.text
	.type f2, %function
f2:
	.cfi_startproc
	.cfi_remember_state
	.cfi_register rbp, r10
	nop
	.cfi_remember_state
	.cfi_restore_state
	nop
	.cfi_restore_state
	nop
	.cfi_endproc
	.size f2, .-f2
