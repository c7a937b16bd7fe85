# A fill of no bytes is between .cfi_startproc and the first change, like an alignment that is already met.
	.text
	.type f, %function
f:
	.cfi_startproc
	.skip 0
	.cfi_def_cfa_offset 16
	nop
	.cfi_endproc
	.size f, .-f
