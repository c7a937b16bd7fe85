# one() is 3: a frame without FP, and a leaf below it.
	.section .text.one,"ax",@progbits
	.globl one
	.type one, @function
one:
	.cfi_startproc
	stmg %r12, %r15, 96(%r15)
	.cfi_offset %r12, -64
	.cfi_offset %r13, -56
	.cfi_offset %r14, -48
	.cfi_offset %r15, -40
	aghi %r15, -160
	.cfi_def_cfa_offset 320
	brasl %r14, one_leaf
	aghi %r2, 1
	lmg %r12, %r15, 256(%r15)
	.cfi_restore %r12
	.cfi_restore %r13
	.cfi_restore %r14
	.cfi_restore %r15
	.cfi_def_cfa_offset 160
	br %r14
	.cfi_endproc
	.size one, .-one

	.type one_leaf, @function
one_leaf:
	.cfi_startproc
	lghi %r2, 2
	br %r14
	.cfi_endproc
	.size one_leaf, .-one_leaf

	.section .note.GNU-stack,"",@progbits
