# A function's cold part is in .text.unlikely with an FDE of its own, which begins with the frame that the
# hot part made.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined %r14
	aghi %r15, -160
	.cfi_adjust_cfa_offset 160
	lghi %r11, 0
	lghi %r2, 1
	brasl %r14, hot
	brasl %r14, hot
	svc 1
	.cfi_endproc
	.size _start, .-_start

	.type hot, @function
hot:
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
	cghi %r2, 5
	jgh hot.cold
	brasl %r14, leaf
1:	agr %r2, %r11
	lmg %r11, %r15, 248(%r15)
	.cfi_restore %r11
	.cfi_restore %r12
	.cfi_restore %r13
	.cfi_restore %r14
	.cfi_restore %r15
	.cfi_def_cfa_offset 160
	br %r14
	.cfi_endproc
	.size hot, .-hot

	.type leaf, @function
leaf:
	.cfi_startproc
	aghi %r2, 4
	br %r14
	.cfi_endproc
	.size leaf, .-leaf

	.section .text.unlikely,"ax",@progbits
	.type hot.cold, @function
hot.cold:
	.cfi_startproc
	.cfi_def_cfa_offset 320
	.cfi_offset %r11, -72
	.cfi_offset %r12, -64
	.cfi_offset %r13, -56
	.cfi_offset %r14, -48
	.cfi_offset %r15, -40
	aghi %r2, 10
	brasl %r14, leaf
	jg 1b
	.cfi_endproc
	.size hot.cold, .-hot.cold

	.section .note.GNU-stack,"",@progbits
