# A function has 65,535 rows, as many as V3 can count.
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
	brasl %r14, rows
	svc 1
	.cfi_endproc
	.size _start, .-_start

	.type rows, @function
rows:
	.cfi_startproc
	aghi %r2, 1
	.rept 32767
	aghi %r15, -160
	.cfi_adjust_cfa_offset 160
	aghi %r15, 160
	.cfi_adjust_cfa_offset -160
	.endr
	br %r14
	.cfi_endproc
	.size rows, .-rows

	.type leaf, @function
leaf:
	.cfi_startproc
	aghi %r2, 1
	br %r14
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",@progbits
