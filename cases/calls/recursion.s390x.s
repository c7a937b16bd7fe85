# One function calls itself until 60 frames of it are live, then all return.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined %r14
	aghi %r15, -160
	.cfi_adjust_cfa_offset 160
	lghi %r11, 0
	lghi %r2, 60
	brasl %r14, sum
	nilf %r2, 255
	svc 1
	.cfi_endproc
	.size _start, .-_start

	.type sum, @function
sum:
	.cfi_startproc
	ltgr %r2, %r2
	je 1f
	stmg %r12, %r15, 96(%r15)
	.cfi_offset %r12, -64
	.cfi_offset %r13, -56
	.cfi_offset %r14, -48
	.cfi_offset %r15, -40
	aghi %r15, -160
	.cfi_def_cfa_offset 320
	lgr %r12, %r2
	aghi %r2, -1
	brasl %r14, sum
	agr %r2, %r12
	lmg %r12, %r15, 256(%r15)
	.cfi_restore %r12
	.cfi_restore %r13
	.cfi_restore %r14
	.cfi_restore %r15
	.cfi_def_cfa_offset 160
1:	br %r14
	.cfi_endproc
	.size sum, .-sum

	.section .note.GNU-stack,"",@progbits
