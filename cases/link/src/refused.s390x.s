# A function that no SFrame version can describe: the return address is in an odd column. The section is a header alone.
	.section .text.odd,"ax",@progbits
	.globl odd
	.type odd, @function
odd:
	.cfi_startproc
	.cfi_return_column 10
	br %r14
	.cfi_endproc
	.size odd, .-odd

	.section .note.GNU-stack,"",@progbits
