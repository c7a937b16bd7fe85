# far_away() is 5, in a section of its own. No .eh_frame: its start fields have 32 bits and could not reach either.
	.ifdef CONTROL
	.cfi_sections .debug_frame
	.else
	.cfi_sections .sframe
	.endif
	.section .far,"ax",@progbits
	.globl far_away
	.type far_away, @function
far_away:
	.cfi_startproc
	stmg %r12, %r15, 96(%r15)
	.cfi_offset %r12, -64
	.cfi_offset %r13, -56
	.cfi_offset %r14, -48
	.cfi_offset %r15, -40
	aghi %r15, -160
	.cfi_def_cfa_offset 320
	brasl %r14, far_leaf
	aghi %r2, 1
	lmg %r12, %r15, 256(%r15)
	.cfi_restore %r12
	.cfi_restore %r13
	.cfi_restore %r14
	.cfi_restore %r15
	.cfi_def_cfa_offset 160
	br %r14
	.cfi_endproc
	.size far_away, .-far_away

	.type far_leaf, @function
far_leaf:
	.cfi_startproc
	lghi %r2, 4
	br %r14
	.cfi_endproc
	.size far_leaf, .-far_leaf

	.section .note.GNU-stack,"",@progbits
