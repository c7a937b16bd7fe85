# The caller goes on with another SP than the CFA.
	.text
	.type f, %function
f:
	.cfi_startproc
	nop
	.cfi_val_offset rsp, 16
	nop
	.cfi_endproc
	.size f, .-f
