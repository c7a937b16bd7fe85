# .cfi_restore of a register that the CIE has in a slot and that moved since goes back to the slot of the CIE, in both tables.
	.text
	.globl moved
	.type moved, @function
moved:
	.cfi_startproc
	.cfi_def_cfa %r15, 320
	.cfi_offset %r11, -16
	.cfi_offset %r14, -8
	nopr
	.cfi_offset %r11, -32
	.cfi_offset %r14, -24
	nopr
	.cfi_restore %r11
	nopr
	.cfi_offset %r11, -48
	.cfi_restore %r14
	nopr
	.cfi_endproc
	.size moved, .-moved

	.section .note.GNU-stack,"",@progbits
