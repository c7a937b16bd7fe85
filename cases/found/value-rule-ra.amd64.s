# The return address is the CFA plus 16, not loaded, which no row can say.
	.text
	.type f, %function
f:
	.cfi_startproc
	.cfi_val_offset rip, 16
	nop
	.cfi_endproc
	.size f, .-f
