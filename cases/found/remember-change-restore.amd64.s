# A state is remembered, changed and restored at one address.
	.text
	.type f, %function
f:
	.cfi_startproc
	nop
	.cfi_remember_state
	.cfi_def_cfa_offset 16
	.cfi_restore_state
	nop
	.cfi_endproc
	.size f, .-f
