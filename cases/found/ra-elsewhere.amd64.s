# The return address is at CFA-16.
	.text
	.type f, %function
f:
	.cfi_startproc
	nop
	.cfi_offset rip, -16
	nop
	.cfi_endproc
	.size f, .-f
