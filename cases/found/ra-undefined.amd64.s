# The return address is undefined: the outermost frame.
	.text
	.type f, %function
f:
	.cfi_startproc
	nop
	.cfi_undefined rip
	nop
	.cfi_endproc
	.size f, .-f
