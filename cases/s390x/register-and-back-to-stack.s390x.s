# FP waits in a floating point register and then goes to the stack, RA the other way round.
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
	brasl %r14, moves_both
	svc 1
	.cfi_endproc
	.size _start, .-_start

	.type moves_both, @function
moves_both:
	.cfi_startproc
	stg %r14, 112(%r15)
	.cfi_offset %r14, -48
	ldgr %f0, %r11
	.cfi_register %r11, %f0
	lghi %r11, 4
	agr %r2, %r11
	lgdr %r11, %f0
	stg %r11, 88(%r15)
	.cfi_offset %r11, -72
	lzdr %f0
	lghi %r11, 8
	agr %r2, %r11
	ld %f2, 112(%r15)
	.cfi_register %r14, %f2
	xc 112(8,%r15), 112(%r15)
	lghi %r14, 0
	lg %r11, 88(%r15)
	.cfi_restore %r11
	lgdr %r14, %f2
	.cfi_restore %r14
	lzdr %f2
	br %r14
	.cfi_endproc
	.size moves_both, .-moves_both

	.section .note.GNU-stack,"",@progbits
