	.cfi_startproc
	nop
	.cfi_remember_state
	.cfi_adjust_cfa_offset 8
	nop
	.cfi_restore_state
	.cfi_adjust_cfa_offset 8
	nop
	.cfi_endproc
