# FP is in one register from the start, then in another, then back.
	.text
	.type f, %function
f:
	.cfi_startproc
	.cfi_register rbp, rax
	nop
	.cfi_register rbp, rbx
	.cfi_restore rbp
	nop
	.cfi_endproc
	.size f, .-f
