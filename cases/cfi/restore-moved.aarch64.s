// .cfi_restore of a register that the CIE has in a slot and that moved since goes back to the slot of the CIE, in both tables.
	.text
	.globl moved
	.type moved, %function
moved:
	.cfi_startproc
	.cfi_def_cfa sp, 64
	.cfi_offset x29, -16
	.cfi_offset x30, -8
	nop
	.cfi_offset x29, -32
	.cfi_offset x30, -24
	nop
	.cfi_restore x29
	nop
	.cfi_offset x29, -48
	.cfi_restore x30
	nop
	.cfi_endproc
	.size moved, .-moved

	.section .note.GNU-stack,"",%progbits
