# A fill of no bytes stands between .cfi_startproc and the first change, as an alignment does that is there already.
	.text
	.type f, %function
f:
	.cfi_startproc
	.skip 0
	.cfi_def_cfa_offset 16
	nop
	.cfi_endproc
	.size f, .-f
