# A callee-saved register that SFrame does not track is parked in another register.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined %r14
	aghi %r15, -160
	.cfi_adjust_cfa_offset 160
	lghi %r11, 0
	lghi %r2, 6
	brasl %r14, parks
	svc 1
	.cfi_endproc
	.size _start, .-_start

	.type parks, @function
parks:
	.cfi_startproc
	lgr %r1, %r10
	.cfi_register %r10, %r1
	lgr %r10, %r2
	la %r2, 0(%r10,%r10)
	lgr %r10, %r1
	.cfi_restore %r10
	br %r14
	.cfi_endproc
	.size parks, .-parks

	.section .note.GNU-stack,"",@progbits
