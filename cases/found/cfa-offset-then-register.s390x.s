# The CFA's offset and then its register change at one address.
	.text
	.type f, %function
f:
	.cfi_startproc
	nopr
	.cfi_def_cfa_offset 320
	.cfi_def_cfa_register %r11
	nopr
	.cfi_endproc
	.size f, .-f
