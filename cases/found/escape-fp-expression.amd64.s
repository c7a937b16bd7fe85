# FP is saved at [rsp-8], by an escaped DW_CFA_expression.
	.text
	.type f, %function
f:
	.cfi_startproc
	.cfi_escape 0x10, 0x6, 0x2, 0x77, 0x78
	nop
	.cfi_endproc
	.size f, .-f
