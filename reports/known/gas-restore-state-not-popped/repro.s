	.cfi_startproc
	nop
	.cfi_def_cfa_offset 16
	nop
	.cfi_remember_state
	nop
	.cfi_def_cfa_offset 24
	nop
	.cfi_remember_state
	nop
	.cfi_def_cfa_offset 32
	nop
	.cfi_restore_state
	nop
	.cfi_restore_state
	nop
	.cfi_endproc
