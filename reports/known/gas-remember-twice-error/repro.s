	.cfi_startproc
	nop
	.cfi_remember_state
	.cfi_def_cfa_offset 16
	.cfi_restore_state
	.cfi_endproc
