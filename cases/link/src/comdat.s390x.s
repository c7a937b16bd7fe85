# one(), or two() where SECOND is defined, each calling inl() of a COMDAT group that both objects have. FIRST puts that before the others.
	.macro group
	.section .text.inl,"axG",@progbits,inl,comdat
	.weak inl
	.type inl, @function
inl:
	.cfi_startproc
	lghi %r2, 2
	br %r14
	.cfi_endproc
	.size inl, .-inl
	.endm

	.ifdef FIRST
	group
	.endif
	.ifdef SECOND
	.section .text.two,"ax",@progbits
	.globl two
	.type two, @function
two:
	.else
	.section .text.one,"ax",@progbits
	.globl one
	.type one, @function
one:
	.endif
	.cfi_startproc
	stmg %r12, %r15, 96(%r15)
	.cfi_offset %r12, -64
	.cfi_offset %r13, -56
	.cfi_offset %r14, -48
	.cfi_offset %r15, -40
	aghi %r15, -160
	.cfi_def_cfa_offset 320
	brasl %r14, inl
	.ifdef SECOND
	aghi %r2, 2
	.else
	aghi %r2, 1
	.endif
	lmg %r12, %r15, 256(%r15)
	.cfi_restore %r12
	.cfi_restore %r13
	.cfi_restore %r14
	.cfi_restore %r15
	.cfi_def_cfa_offset 160
	br %r14
	.cfi_endproc
	.ifdef SECOND
	.size two, .-two
	.else
	.size one, .-one
	.endif

	.ifndef FIRST
	group
	.endif

	.section .note.GNU-stack,"",@progbits
