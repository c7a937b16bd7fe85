	.cfi_startproc
	.cfi_val_offset rip, 16
	nop
	.cfi_endproc
