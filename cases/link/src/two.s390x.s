# two() is 4: a frame with FP, and a leaf below it. With SECTIONS, .sframe is asked for by the directive.
	.ifdef SECTIONS
	.cfi_sections .eh_frame, .sframe
	.endif
	.section .text.two,"ax",@progbits
	.globl two
	.type two, @function
two:
	.cfi_startproc
	stmg %r11, %r15, 88(%r15)
	.cfi_offset %r11, -72
	.cfi_offset %r12, -64
	.cfi_offset %r13, -56
	.cfi_offset %r14, -48
	.cfi_offset %r15, -40
	aghi %r15, -160
	.cfi_def_cfa_offset 320
	lgr %r11, %r15
	.cfi_def_cfa_register %r11
	brasl %r14, two_leaf
	aghi %r2, 1
	lmg %r11, %r15, 248(%r11)
	.cfi_restore %r11
	.cfi_restore %r12
	.cfi_restore %r13
	.cfi_restore %r14
	.cfi_restore %r15
	.cfi_def_cfa %r15, 160
	br %r14
	.cfi_endproc
	.size two, .-two

	.type two_leaf, @function
two_leaf:
	.cfi_startproc
	lghi %r2, 3
	br %r14
	.cfi_endproc
	.size two_leaf, .-two_leaf

	.section .note.GNU-stack,"",@progbits
