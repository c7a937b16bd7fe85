# RA is undefined and at the same address restored.
	.text
	.type f, %function
f:
	.cfi_startproc
	nop
	.cfi_undefined rip
	.cfi_restore rip
	nop
	.cfi_endproc
	.size f, .-f
