# A function returns early on one path: the state is remembered before the first epilogue and restored after it.
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
	brasl %r14, guarded
	lgr %r7, %r2
	lghi %r2, 1
	brasl %r14, guarded
	agr %r7, %r2
	lghi %r2, 9
	brasl %r14, guarded
	agr %r2, %r7
	svc 1
	.cfi_endproc
	.size _start, .-_start

	.type guarded, @function
guarded:
	.cfi_startproc
	stg %r11, 88(%r15)
	.cfi_offset %r11, -72
	lgr %r11, %r15
	.cfi_def_cfa_register %r11
	ltgr %r2, %r2
	jne 1f
	.cfi_remember_state
	lghi %r2, 3
	lg %r11, 88(%r15)
	.cfi_restore %r11
	.cfi_def_cfa_register %r15
	br %r14
1:	.cfi_restore_state
	stmg %r12, %r15, 96(%r15)
	.cfi_offset %r12, -64
	.cfi_offset %r13, -56
	.cfi_offset %r14, -48
	.cfi_offset %r15, -40
	aghi %r15, -160
	lgr %r12, %r2
	brasl %r14, leaf
	cghi %r12, 1
	jne 2f
	.cfi_remember_state
	lmg %r11, %r15, 88(%r11)
	.cfi_restore %r11
	.cfi_restore %r12
	.cfi_restore %r13
	.cfi_restore %r14
	.cfi_restore %r15
	.cfi_def_cfa %r15, 160
	br %r14
2:	.cfi_restore_state
	agr %r2, %r12
	lmg %r11, %r15, 88(%r11)
	.cfi_restore %r11
	.cfi_restore %r12
	.cfi_restore %r13
	.cfi_restore %r14
	.cfi_restore %r15
	.cfi_def_cfa %r15, 160
	br %r14
	.cfi_endproc
	.size guarded, .-guarded

	.type leaf, @function
leaf:
	.cfi_startproc
	aghi %r2, 2
	br %r14
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",@progbits
