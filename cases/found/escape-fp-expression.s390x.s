# FP is saved at [r6-64], by an escaped DW_CFA_expression.
	.text
	.type f, %function
f:
	.cfi_startproc
	.cfi_escape 0x10, 0xb, 0x2, 0x76, 0x40
	nopr
	.cfi_endproc
	.size f, .-f
