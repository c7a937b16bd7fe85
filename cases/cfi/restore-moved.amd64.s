# .cfi_restore of a register that the CIE has in a slot and that moved since goes back to the slot of the CIE, in both tables.
	.text
	.globl moved
	.type moved, @function
moved:
	.cfi_startproc
	.cfi_def_cfa rsp, 64
	.cfi_offset rbp, -16
	nop
	.cfi_offset rbp, -32
	nop
	.cfi_restore rbp
	nop
	.cfi_endproc
	.size moved, .-moved

	.section .note.GNU-stack,"",@progbits
