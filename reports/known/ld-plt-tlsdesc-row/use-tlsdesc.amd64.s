use_plt:
	.cfi_startproc
	nop
	.cfi_endproc
	leaq variable@TLSDESC(%rip), %rax
