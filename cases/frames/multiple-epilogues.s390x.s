# A switch with three arms, each with an epilogue of its own shape; execution takes all of them.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined %r14
	aghi %r15, -160
	.cfi_adjust_cfa_offset 160
	lghi %r11, 0
	lghi %r7, 0
	lghi %r8, 0
1:	lgr %r2, %r8
	brasl %r14, pick
	agr %r7, %r2
	aghi %r8, 1
	cghi %r8, 3
	jne 1b
	lgr %r2, %r7
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
	aghi %r15, -160
	.cfi_def_cfa_offset 320
	lgr %r11, %r2
	brasl %r14, leaf
	cghi %r11, 1
	je 1f
	jh 2f
	.cfi_remember_state
	lmg %r11, %r15, 248(%r15)
	.cfi_restore %r11
	.cfi_restore %r12
	.cfi_restore %r13
	.cfi_restore %r14
	.cfi_restore %r15
	.cfi_def_cfa_offset 160
	br %r14
1:	.cfi_restore_state
	aghi %r2, 10
	.cfi_remember_state
	lg %r14, 272(%r15)
	.cfi_restore %r14
	lg %r11, 248(%r15)
	.cfi_restore %r11
	aghi %r15, 160
	.cfi_restore %r12
	.cfi_restore %r13
	.cfi_restore %r15
	.cfi_def_cfa_offset 160
	br %r14
2:	.cfi_restore_state
	aghi %r2, 20
	aghi %r15, 160
	.cfi_def_cfa_offset 160
	lg %r11, 88(%r15)
	.cfi_restore %r11
	lg %r14, 112(%r15)
	.cfi_restore %r14
	br %r14
	.cfi_endproc
	.size pick, .-pick

	.type leaf, @function
leaf:
	.cfi_startproc
	aghi %r2, 11
	br %r14
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",@progbits
