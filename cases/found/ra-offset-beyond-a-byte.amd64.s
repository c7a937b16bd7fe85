# The return address lies 160 bytes above the CFA, which takes a 2-byte word.
	.text
	.type f, %function
f:
	.cfi_startproc
	.cfi_offset rip, 160
	nop
	.cfi_endproc
	.size f, .-f
