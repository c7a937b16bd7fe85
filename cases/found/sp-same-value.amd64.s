# The caller goes on with the SP that the function has now.
	.text
	.type f, %function
f:
	.cfi_startproc
	nop
	.cfi_same_value rsp
	nop
	.cfi_endproc
	.size f, .-f
