# FP is saved by .cfi_rel_offset.
	.text
	.type f, %function
f:
	.cfi_startproc
	nop
	.cfi_rel_offset rbp, 0
	nop
	.cfi_endproc
	.size f, .-f
