# The CFA's offset and then its register change at one address.
	.text
	.type f, %function
f:
	.cfi_startproc
	nop
	.cfi_def_cfa_offset 16
	.cfi_def_cfa_register rbp
	nop
	.cfi_endproc
	.size f, .-f
