# A state with the CFA in FP is remembered where it is made, and restored from a row whose CFA is in SP.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined %r14
	aghi %r15, -160
	.cfi_adjust_cfa_offset 160
	lghi %r11, 0
	lghi %r2, 0
	brasl %r14, pick
	lgr %r12, %r2
	lghi %r2, 1
	brasl %r14, pick
	agr %r2, %r12
	svc 1
	.cfi_endproc
	.size _start, .-_start

	.type pick, @function
pick:
	.cfi_startproc
	stmg %r11, %r15, 88(%r15)
	.cfi_offset %r11, -72
	.cfi_offset %r12, -64
	.cfi_offset %r13, -56
	.cfi_offset %r14, -48
	.cfi_offset %r15, -40
	lgr %r11, %r15
	.cfi_def_cfa_register %r11
	.cfi_remember_state
	aghi %r15, -200
	cghi %r2, 0
	je 1f
	brasl %r14, leaf
	lmg %r11, %r15, 88(%r11)
	.cfi_def_cfa_register %r15
	.cfi_restore %r11
	.cfi_restore %r12
	.cfi_restore %r13
	.cfi_restore %r14
	.cfi_restore %r15
	br %r14
1:	.cfi_restore_state
	brasl %r14, leaf
	aghi %r2, 3
	lmg %r11, %r15, 88(%r11)
	.cfi_def_cfa_register %r15
	.cfi_restore %r11
	.cfi_restore %r12
	.cfi_restore %r13
	.cfi_restore %r14
	.cfi_restore %r15
	br %r14
	.cfi_endproc
	.size pick, .-pick

	.type leaf, @function
leaf:
	.cfi_startproc
	aghi %r2, 9
	br %r14
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",@progbits
