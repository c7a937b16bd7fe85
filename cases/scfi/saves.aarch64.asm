// Callee-saved registers stored in the frame of a function that calls, with two ways out.
	.text
	.globl saves
	.type saves, %function
saves:
	stp x29, x30, [sp, #-32]!
	mov x29, sp
	stp x19, x20, [sp, #16]
	mov w19, w0
	cbz w0, 1f
	bl saves
	add w0, w0, w19
	ldp x19, x20, [sp, #16]
	ldp x29, x30, [sp], #32
	ret
1:	mov w0, #1
	ldp x19, x20, [sp, #16]
	ldp x29, x30, [sp], #32
	ret
	.size saves, .-saves

	.section .note.GNU-stack,"",%progbits
