	.cfi_startproc
	.cfi_def_cfa_register rbp
	.cfi_remember_state
	.cfi_def_cfa rsp, 16
	.cfi_remember_state
	nop
	.cfi_restore_state
	nop
	.cfi_restore_state
	nop
	.cfi_endproc
