# Two nested functions set up and tear down a frame pointer frame, one instruction at a time.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined %r14
	aghi %r15, -160
	.cfi_adjust_cfa_offset 160
	lghi %r11, 0
	lghi %r2, 10
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
	aghi %r15, -168
	.cfi_def_cfa_offset 328
	lgr %r11, %r15
	.cfi_def_cfa_register %r11
	lgr %r12, %r2
	aghi %r2, 1
	brasl %r14, inner
	agr %r2, %r12
	lmg %r11, %r15, 256(%r11)
	.cfi_restore %r11
	.cfi_restore %r12
	.cfi_restore %r13
	.cfi_restore %r14
	.cfi_restore %r15
	.cfi_def_cfa %r15, 160
	br %r14
	.cfi_endproc
	.size outer, .-outer

	.type inner, @function
inner:
	.cfi_startproc
	stmg %r11, %r15, 88(%r15)
	.cfi_offset %r11, -72
	.cfi_offset %r12, -64
	.cfi_offset %r13, -56
	.cfi_offset %r14, -48
	.cfi_offset %r15, -40
	aghi %r15, -176
	.cfi_def_cfa_offset 336
	lgr %r11, %r15
	.cfi_def_cfa_register %r11
	stg %r2, 160(%r11)
	lg %r1, 160(%r11)
	agr %r2, %r1
	aghi %r2, 10
	lmg %r11, %r15, 264(%r11)
	.cfi_restore %r11
	.cfi_restore %r12
	.cfi_restore %r13
	.cfi_restore %r14
	.cfi_restore %r15
	.cfi_def_cfa %r15, 160
	br %r14
	.cfi_endproc
	.size inner, .-inner

	.section .note.GNU-stack,"",@progbits
