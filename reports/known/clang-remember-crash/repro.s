	.cfi_startproc
	nop
	.cfi_remember_state
	.cfi_def_cfa_offset 16
	nop
	.cfi_restore_state
	nop
	.cfi_remember_state
	.cfi_def_cfa_offset 16
	nop
	.cfi_restore_state
	nop
	.cfi_endproc
