# FP is saved before the first instruction and restored after it; the first function makes a CIE that both share.
	.text
	.type first, %function
first:
	.cfi_startproc
	nop
	.cfi_endproc
	.size first, .-first
	.type f, %function
f:
	.cfi_startproc
	.cfi_offset rbp, -16
	nop
	.cfi_restore rbp
	nop
	.cfi_endproc
	.size f, .-f
