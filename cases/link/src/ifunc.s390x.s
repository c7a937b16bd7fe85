# one() is 3, found by a resolver when the program starts: calls to it go through a PLT.
	.section .text.one,"ax",@progbits
	.globl choose
	.type choose, @function
choose:
	.cfi_startproc
	larl %r2, really
	br %r14
	.cfi_endproc
	.size choose, .-choose
	.globl one
	.type one, @gnu_indirect_function
	.set one, choose

	.type really, @function
really:
	.cfi_startproc
	stmg %r12, %r15, 96(%r15)
	.cfi_offset %r12, -64
	.cfi_offset %r13, -56
	.cfi_offset %r14, -48
	.cfi_offset %r15, -40
	aghi %r15, -160
	.cfi_def_cfa_offset 320
	brasl %r14, really_leaf
	aghi %r2, 1
	lmg %r12, %r15, 256(%r15)
	.cfi_restore %r12
	.cfi_restore %r13
	.cfi_restore %r14
	.cfi_restore %r15
	.cfi_def_cfa_offset 160
	br %r14
	.cfi_endproc
	.size really, .-really

	.type really_leaf, @function
really_leaf:
	.cfi_startproc
	lghi %r2, 2
	br %r14
	.cfi_endproc
	.size really_leaf, .-really_leaf

	.section .note.GNU-stack,"",@progbits
