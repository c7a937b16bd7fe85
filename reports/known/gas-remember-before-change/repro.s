	.cfi_startproc
	nop
	.cfi_adjust_cfa_offset 8
	.cfi_remember_state
	nop
	.cfi_restore_state
	nop
	.cfi_endproc
