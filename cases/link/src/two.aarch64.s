// two() is 4: a frame with FP, and a leaf below it. With SECTIONS, .sframe is asked for by the directive.
	.ifdef SECTIONS
	.cfi_sections .eh_frame, .sframe
	.endif
	.section .text.two,"ax",%progbits
	.globl two
	.type two, %function
two:
	.cfi_startproc
	stp x29, x30, [sp, #-48]!
	.cfi_def_cfa_offset 48
	.cfi_offset x29, -48
	.cfi_offset x30, -40
	mov x29, sp
	.cfi_def_cfa_register x29
	bl two_leaf
	add w0, w0, #1
	ldp x29, x30, [sp], #48
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa sp, 0
	ret
	.cfi_endproc
	.size two, .-two

	.type two_leaf, %function
two_leaf:
	.cfi_startproc
	nop
	mov w0, #3
	ret
	.cfi_endproc
	.size two_leaf, .-two_leaf

	.section .note.GNU-stack,"",%progbits
