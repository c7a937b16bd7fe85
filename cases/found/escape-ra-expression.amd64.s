# RA is saved at [rsp+0], by an escaped DW_CFA_expression.
	.text
	.type f, %function
f:
	.cfi_startproc
	.cfi_def_cfa_offset 16
	.cfi_escape 0x10, 0x10, 0x2, 0x77, 0x0
	nop
	.cfi_endproc
	.size f, .-f
