# one() is 3, and a hundred functions like those that compilers make of getters and small wrappers; the first is called; LARGE adds
# that many more and one of 301 rows.
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
	brasl %r14, many0
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

	.macro small
	.type many\@, @function
many\@:
	.cfi_startproc
	stmg %r12, %r15, 96(%r15)
	.cfi_offset %r12, -64
	.cfi_offset %r13, -56
	.cfi_offset %r14, -48
	.cfi_offset %r15, -40
	aghi %r15, -160
	.cfi_def_cfa_offset 320
	lghi %r2, 2
	lmg %r12, %r15, 256(%r15)
	.cfi_restore %r12
	.cfi_restore %r13
	.cfi_restore %r14
	.cfi_restore %r15
	.cfi_def_cfa_offset 160
	br %r14
	.cfi_endproc
	.size many\@, .-many\@
	.endm

	.rept 100
	small
	.endr

	.ifdef LARGE
	.rept LARGE
	small
	.endr
	.type rows, @function
rows:
	.cfi_startproc
	.rept 150
	aghi %r15, -8
	.cfi_adjust_cfa_offset 8
	aghi %r15, 8
	.cfi_adjust_cfa_offset -8
	.endr
	br %r14
	.cfi_endproc
	.size rows, .-rows
	.endif

	.section .note.GNU-stack,"",@progbits
