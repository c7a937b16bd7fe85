# The return address waits in a scratch register while its home is used for something else.
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
	brasl %r14, parks_ra
	svc 1
	.cfi_endproc
	.size _start, .-_start

	.type parks_ra, @function
parks_ra:
	.cfi_startproc
	lgr %r1, %r14
	.cfi_register %r14, %r1
	la %r14, 2(%r2)
	agr %r2, %r14
	lgr %r14, %r1
	.cfi_restore %r14
	br %r14
	.cfi_endproc
	.size parks_ra, .-parks_ra

	.section .note.GNU-stack,"",@progbits
