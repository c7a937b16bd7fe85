# The CFA's offset is adjusted after a state was restored.
	.text
	.type f, %function
f:
	.cfi_startproc
	nop
	.cfi_def_cfa_offset 24
	.cfi_remember_state
	.cfi_adjust_cfa_offset -16
	nop
	.cfi_restore_state
	.cfi_adjust_cfa_offset 16
	nop
	.cfi_endproc
	.size f, .-f
