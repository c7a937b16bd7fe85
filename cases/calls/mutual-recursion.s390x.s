# Two functions with frames of different size and kind call each other in turn.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined %r14
	aghi %r15, -160
	.cfi_adjust_cfa_offset 160
	lghi %r11, 0
	lghi %r2, 21
	brasl %r14, is_odd
	svc 1
	.cfi_endproc
	.size _start, .-_start

	.type is_even, @function
is_even:
	.cfi_startproc
	stmg %r11, %r15, 88(%r15)
	.cfi_offset %r11, -72
	.cfi_offset %r12, -64
	.cfi_offset %r13, -56
	.cfi_offset %r14, -48
	.cfi_offset %r15, -40
	aghi %r15, -160
	.cfi_def_cfa_offset 320
	lgr %r11, %r15
	.cfi_def_cfa_register %r11
	ltgr %r2, %r2
	je 1f
	aghi %r2, -1
	brasl %r14, is_odd
	aghi %r2, 1
1:	lmg %r11, %r15, 248(%r11)
	.cfi_restore %r11
	.cfi_restore %r12
	.cfi_restore %r13
	.cfi_restore %r14
	.cfi_restore %r15
	.cfi_def_cfa %r15, 160
	br %r14
	.cfi_endproc
	.size is_even, .-is_even

	.type is_odd, @function
is_odd:
	.cfi_startproc
	stg %r14, 112(%r15)
	.cfi_offset %r14, -48
	aghi %r15, -200
	.cfi_def_cfa_offset 360
	ltgr %r2, %r2
	je 1f
	aghi %r2, -1
	brasl %r14, is_even
	aghi %r2, 1
1:	aghi %r15, 200
	.cfi_def_cfa_offset 160
	lg %r14, 112(%r15)
	.cfi_restore %r14
	br %r14
	.cfi_endproc
	.size is_odd, .-is_odd

	.section .note.GNU-stack,"",@progbits
