	.cfi_startproc
	nop
	.cfi_register rip, rax
	.cfi_restore rip
	nop
	.cfi_endproc
