# A function without a byte of code.
	.section .text.empty,"ax",@progbits
	.globl nothing
	.type nothing, @function
nothing:
	.cfi_startproc
	.cfi_endproc
	.size nothing, .-nothing

	.section .note.GNU-stack,"",@progbits
