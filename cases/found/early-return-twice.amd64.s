# The state is remembered and restored twice before any other directive.
	.text
	.type f, %function
f:
	.cfi_startproc
	nop
	.cfi_remember_state
	nop
	.cfi_restore_state
	nop
	.cfi_remember_state
	nop
	.cfi_restore_state
	nop
	.cfi_endproc
	.size f, .-f
