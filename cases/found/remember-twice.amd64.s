# States are remembered in one another before anything changes.
	.text
	.type f, %function
f:
	.cfi_startproc
	.cfi_remember_state
	.cfi_remember_state
	nop
	.cfi_restore_state
	.cfi_restore_state
	nop
	.cfi_endproc
	.size f, .-f
