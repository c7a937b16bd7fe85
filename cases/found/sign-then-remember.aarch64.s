// RA is signed and the state remembered at the same address.
	.text
	.type f, %function
f:
	.cfi_startproc
	nop
	.cfi_window_save
	.cfi_remember_state
	nop
	.cfi_restore_state
	nop
	.cfi_endproc
	.size f, .-f
