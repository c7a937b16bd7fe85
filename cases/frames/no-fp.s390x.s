# Frames without a frame pointer: the CFA stays on the stack pointer through pushes, locals and pops.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined %r14
	aghi %r15, -160
	.cfi_adjust_cfa_offset 160
	lghi %r11, 0
	lghi %r2, 5
	brasl %r14, outer
	svc 1
	.cfi_endproc
	.size _start, .-_start

	.type outer, @function
outer:
	.cfi_startproc
	stmg %r14, %r15, 112(%r15)
	.cfi_offset %r14, -48
	.cfi_offset %r15, -40
	aghi %r15, -192
	.cfi_def_cfa_offset 352
	stg %r2, 160(%r15)
	brasl %r14, middle
	ag %r2, 160(%r15)
	lmg %r14, %r15, 304(%r15)
	.cfi_restore %r14
	.cfi_restore %r15
	.cfi_def_cfa_offset 160
	br %r14
	.cfi_endproc
	.size outer, .-outer

	.type middle, @function
middle:
	.cfi_startproc
	stmg %r12, %r15, 96(%r15)
	.cfi_offset %r12, -64
	.cfi_offset %r13, -56
	.cfi_offset %r14, -48
	.cfi_offset %r15, -40
	aghi %r15, -160
	.cfi_def_cfa_offset 320
	lgr %r12, %r2
	brasl %r14, leaf
	brasl %r14, leaf
	agr %r2, %r12
	lg %r14, 272(%r15)
	.cfi_restore %r14
	lmg %r12, %r13, 256(%r15)
	.cfi_restore %r12
	.cfi_restore %r13
	aghi %r15, 160
	.cfi_restore %r15
	.cfi_def_cfa_offset 160
	br %r14
	.cfi_endproc
	.size middle, .-middle

	.type leaf, @function
leaf:
	.cfi_startproc
	agr %r2, %r2
	aghi %r2, 2
	br %r14
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",@progbits
