# A function longer than 255 bytes, with rows after that offset: row starts need two bytes.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined %r14
	aghi %r15, -160
	.cfi_adjust_cfa_offset 160
	lghi %r11, 0
	lghi %r2, 9
	brasl %r14, big
	svc 1
	.cfi_endproc
	.size _start, .-_start

	.type big, @function
big:
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
	jg 1f
	.skip 300
1:	aghi %r15, -8
	.cfi_def_cfa_offset 328
	lgr %r12, %r2
	lgr %r2, %r11
	brasl %r14, leaf # beyond the offset that a smaller row start could hold
	agr %r2, %r12
	aghi %r15, 8
	.cfi_def_cfa_offset 320
	lmg %r11, %r15, 248(%r15)
	.cfi_restore %r11
	.cfi_restore %r12
	.cfi_restore %r13
	.cfi_restore %r14
	.cfi_restore %r15
	.cfi_def_cfa_offset 160
	br %r14
	.cfi_endproc
	.size big, .-big

	.type leaf, @function
leaf:
	.cfi_startproc
	aghi %r2, 3
	br %r14
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",@progbits
