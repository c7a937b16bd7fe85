# A function marked as a signal frame is called in the ordinary way; its caller stays in one row around the
# call, so that looking it up exactly is right too.
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
	brasl %r14, caller
	svc 1
	.cfi_endproc
	.size _start, .-_start

	.type caller, @function
caller:
	.cfi_startproc
	stg %r14, 112(%r15)
	.cfi_offset %r14, -48
	aghi %r15, -176
	.cfi_def_cfa_offset 336
	brasl %r14, marked
	nopr
	aghi %r2, 5
	aghi %r15, 176
	.cfi_def_cfa_offset 160
	lg %r14, 112(%r15)
	.cfi_restore %r14
	br %r14
	.cfi_endproc
	.size caller, .-caller

	.type marked, @function
marked:
	.cfi_startproc
	.cfi_signal_frame
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
	agr %r2, %r11
	lmg %r11, %r15, 248(%r15)
	.cfi_restore %r11
	.cfi_restore %r12
	.cfi_restore %r13
	.cfi_restore %r14
	.cfi_restore %r15
	.cfi_def_cfa_offset 160
	br %r14
	.cfi_endproc
	.size marked, .-marked

	.type leaf, @function
leaf:
	.cfi_startproc
	aghi %r2, 5
	br %r14
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",@progbits
