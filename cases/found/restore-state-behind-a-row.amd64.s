# A state is remembered at 1, and changed and restored at 258.
	.text
	.type f, %function
f:
	.cfi_startproc
	nop
	.cfi_def_cfa_offset 16
	.cfi_remember_state
	nop
	.cfi_def_cfa_offset -16
	.skip 256
	.cfi_def_cfa_offset 8
	.cfi_restore_state
	.cfi_endproc
	.size f, .-f
