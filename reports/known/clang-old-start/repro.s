	.cfi_startproc
	nop
	.cfi_def_cfa_offset 16
	.cfi_remember_state
	nop
	.cfi_def_cfa_offset 8
	nop
	.cfi_def_cfa_offset 24
	.cfi_restore_state
	nop
	.cfi_endproc
