# The return address is in rax.
	.text
	.type f, %function
f:
	.cfi_startproc
	nop
	.cfi_register rip, rax
	nop
	.cfi_endproc
	.size f, .-f
