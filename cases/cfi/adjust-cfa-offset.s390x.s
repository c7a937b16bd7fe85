# .cfi_adjust_cfa_offset goes up, down and by nothing, on SP and on FP.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined %r14
	aghi %r15, -160
	.cfi_adjust_cfa_offset 160
	lghi %r11, 0
	lghi %r2, 4
	brasl %r14, outer
	svc 1
	.cfi_endproc
	.size _start, .-_start

	.type outer, @function
outer:
	.cfi_startproc
	stmg %r11, %r15, 88(%r15)
	.cfi_offset %r11, -72
	.cfi_offset %r12, -64
	.cfi_offset %r13, -56
	.cfi_offset %r14, -48
	.cfi_offset %r15, -40
	aghi %r15, -160
	.cfi_adjust_cfa_offset 160
	aghi %r15, -48
	.cfi_adjust_cfa_offset 48
	la %r11, 48(%r15)
	.cfi_def_cfa_register %r11
	.cfi_adjust_cfa_offset -48
	lgr %r12, %r2
	nopr
	.cfi_adjust_cfa_offset 0
	brasl %r14, leaf
	agr %r2, %r12
	aghi %r15, 48
	.cfi_def_cfa %r15, 368
	.cfi_adjust_cfa_offset -48
	lmg %r11, %r15, 248(%r15)
	.cfi_restore %r11
	.cfi_restore %r12
	.cfi_restore %r13
	.cfi_restore %r14
	.cfi_restore %r15
	.cfi_adjust_cfa_offset -160
	br %r14
	.cfi_endproc
	.size outer, .-outer

	.type leaf, @function
leaf:
	.cfi_startproc
	aghi %r2, 9
	br %r14
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",@progbits
