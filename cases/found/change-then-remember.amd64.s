# The CFA's offset changes and the state is remembered at the same address.
	.text
	.type f, %function
f:
	.cfi_startproc
	nop
	.cfi_def_cfa_offset 16
	.cfi_remember_state
	nop
	.cfi_restore_state
	nop
	.cfi_endproc
	.size f, .-f
