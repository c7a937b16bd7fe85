	.cfi_startproc
	.cfi_endproc
	.cfi_startproc
	.cfi_offset 30, -40
	.cfi_restore 30
	nop
	.cfi_endproc
