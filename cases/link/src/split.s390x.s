# one() is 3 and does its work in a cold part elsewhere; dead() is called by nobody, and has a cold part too.
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
	jg one.cold
.Lback:
	lmg %r12, %r15, 256(%r15)
	.cfi_restore %r12
	.cfi_restore %r13
	.cfi_restore %r14
	.cfi_restore %r15
	.cfi_def_cfa_offset 160
	br %r14
	.cfi_endproc
	.size one, .-one

	.section .text.unlikely.one,"ax",@progbits
	.type one.cold, @function
one.cold:
	.cfi_startproc
	.cfi_offset %r12, -64
	.cfi_offset %r13, -56
	.cfi_offset %r14, -48
	.cfi_offset %r15, -40
	.cfi_def_cfa_offset 320
	brasl %r14, one_leaf
	aghi %r2, 1
	jg .Lback
	.cfi_endproc
	.size one.cold, .-one.cold

	.section .text.leaf,"ax",@progbits
	.type one_leaf, @function
one_leaf:
	.cfi_startproc
	lghi %r2, 2
	br %r14
	.cfi_endproc
	.size one_leaf, .-one_leaf

	.section .text.dead,"ax",@progbits
	.globl dead
	.type dead, @function
dead:
	.cfi_startproc
	stmg %r12, %r15, 96(%r15)
	.cfi_offset %r12, -64
	.cfi_offset %r13, -56
	.cfi_offset %r14, -48
	.cfi_offset %r15, -40
	aghi %r15, -160
	.cfi_def_cfa_offset 320
	jg dead.cold
.Lalive:
	lmg %r12, %r15, 256(%r15)
	.cfi_restore %r12
	.cfi_restore %r13
	.cfi_restore %r14
	.cfi_restore %r15
	.cfi_def_cfa_offset 160
	br %r14
	.cfi_endproc
	.size dead, .-dead

	.section .text.unlikely.dead,"ax",@progbits
	.type dead.cold, @function
dead.cold:
	.cfi_startproc
	.cfi_offset %r12, -64
	.cfi_offset %r13, -56
	.cfi_offset %r14, -48
	.cfi_offset %r15, -40
	.cfi_def_cfa_offset 320
	aghi %r2, 1
	jg .Lalive
	.cfi_endproc
	.size dead.cold, .-dead.cold

	.section .note.GNU-stack,"",@progbits
