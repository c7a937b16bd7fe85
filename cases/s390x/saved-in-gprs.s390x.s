# RA and FP wait in general registers.
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
	brasl %r14, parks_both
	svc 1
	.cfi_endproc
	.size _start, .-_start

	.type parks_both, @function
parks_both:
	.cfi_startproc
	lgr %r1, %r14
	.cfi_register %r14, %r1
	lgr %r0, %r11
	.cfi_register %r11, %r0
	lghi %r14, 4
	lghi %r11, 8
	agr %r2, %r11
	agr %r2, %r14
	lgr %r11, %r0
	.cfi_restore %r11
	lgr %r14, %r1
	.cfi_restore %r14
	br %r14
	.cfi_endproc
	.size parks_both, .-parks_both

	.section .note.GNU-stack,"",@progbits
