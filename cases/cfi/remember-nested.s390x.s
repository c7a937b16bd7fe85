# Four states are remembered one inside the other and restored in the opposite order.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined %r14
	aghi %r15, -160
	.cfi_adjust_cfa_offset 160
	lghi %r11, 0
	lghi %r12, 0
	lghi %r13, 0
1:	lgr %r2, %r13
	brasl %r14, pick
	agr %r12, %r2
	aghi %r13, 1
	cghi %r13, 5
	jne 1b
	lgr %r2, %r12
	svc 1
	.cfi_endproc
	.size _start, .-_start

	.type pick, @function
pick:
	.cfi_startproc
	nopr
	.cfi_remember_state # 1: nothing saved
	cghi %r2, 0
	je 5f
	stg %r14, 112(%r15)
	.cfi_offset %r14, -48
	stg %r11, 88(%r15)
	.cfi_offset %r11, -72
	.cfi_remember_state # 2: FP and RA saved
	cghi %r2, 1
	je 4f
	lgr %r11, %r15
	.cfi_def_cfa_register %r11
	.cfi_remember_state # 3: CFA in FP
	cghi %r2, 2
	je 3f
	lg %r11, 88(%r15)
	.cfi_def_cfa_register %r15
	.cfi_restore %r11
	.cfi_restore %r14
	aghi %r15, -160
	.cfi_def_cfa_offset 320
	.cfi_remember_state # 4: locals
	cghi %r2, 3
	je 2f
	aghi %r15, 160
	.cfi_def_cfa_offset 160
	lghi %r2, 5
	br %r14
2:	.cfi_restore_state # 4
	aghi %r15, 160
	.cfi_def_cfa_offset 160
	lghi %r2, 4
	br %r14
3:	.cfi_restore_state # 3
	lghi %r2, 3
	lg %r11, 88(%r15)
	.cfi_restore %r11
	.cfi_def_cfa_register %r15
	.cfi_restore %r14
	br %r14
4:	.cfi_restore_state # 2
	lghi %r2, 2
	lg %r11, 88(%r15)
	.cfi_restore %r11
	.cfi_restore %r14
	br %r14
5:	.cfi_restore_state # 1
	lghi %r2, 1
	br %r14
	.cfi_endproc
	.size pick, .-pick

	.section .note.GNU-stack,"",@progbits
