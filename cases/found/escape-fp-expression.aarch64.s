// FP is saved at [sp+8], by an escaped DW_CFA_expression.
	.text
	.type f, %function
f:
	.cfi_startproc
	.cfi_escape 0x10, 0x1d, 0x2, 0x8f, 0x8
	nop
	.cfi_endproc
	.size f, .-f
