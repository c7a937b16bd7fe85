# A hand-written setjmp and longjmp: out of six frames at once, then out of one, where SP equals the CFA of the
# frame that is left.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined %r14
	aghi %r15, -160
	.cfi_adjust_cfa_offset 160
	lghi %r11, 0
	brasl %r14, catch_deep
	lgr %r12, %r2
	brasl %r14, catch_near
	agr %r2, %r12
	svc 1
	.cfi_endproc
	.size _start, .-_start

	.type catch_deep, @function
catch_deep:
	.cfi_startproc
	stmg %r11, %r15, 88(%r15)
	.cfi_offset %r11, -72
	.cfi_offset %r12, -64
	.cfi_offset %r13, -56
	.cfi_offset %r14, -48
	.cfi_offset %r15, -40
	aghi %r15, -160
	.cfi_def_cfa_offset 320
	lgr %r11, %r15
	.cfi_def_cfa_register %r11
	larl %r2, context
	brasl %r14, save_context
	ltgr %r2, %r2
	jne 1f
	lghi %r2, 5
	brasl %r14, dive
1:	aghi %r2, 1
	lmg %r11, %r15, 248(%r11)
	.cfi_restore %r11
	.cfi_restore %r12
	.cfi_restore %r13
	.cfi_restore %r14
	.cfi_restore %r15
	.cfi_def_cfa %r15, 160
	br %r14
	.cfi_endproc
	.size catch_deep, .-catch_deep

	.type dive, @function
dive:
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
	aghi %r2, -1
	jne 1f
	larl %r2, context
	lghi %r3, 7
	brasl %r14, resume_context
1:	brasl %r14, dive
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
	.size dive, .-dive

	.type catch_near, @function
catch_near:
	.cfi_startproc
	stg %r14, 112(%r15)
	.cfi_offset %r14, -48
	aghi %r15, -160
	.cfi_def_cfa_offset 320
	larl %r2, context
	brasl %r14, save_context
	ltgr %r2, %r2
	jne 1f
	larl %r2, context
	lghi %r3, 3
	brasl %r14, resume_context
1:	aghi %r2, 1
	aghi %r15, 160
	.cfi_def_cfa_offset 160
	lg %r14, 112(%r15)
	.cfi_restore %r14
	br %r14
	.cfi_endproc
	.size catch_near, .-catch_near

	.type save_context, @function
save_context:
	.cfi_startproc
	stg %r11, 0(%r2)
	stg %r12, 8(%r2)
	stg %r14, 16(%r2)
	stg %r15, 24(%r2)
	lghi %r2, 0
	br %r14
	.cfi_endproc
	.size save_context, .-save_context

	.type resume_context, @function
resume_context:
	.cfi_startproc
	lg %r1, 16(%r2)
	lg %r15, 24(%r2) # with one frame to leave this changes nothing; with more SP is now above the CFA
	lg %r12, 8(%r2)
	lg %r11, 0(%r2)
	lgr %r2, %r3
	br %r1
	.cfi_endproc
	.size resume_context, .-resume_context

	.data
	.align 8
context:	.skip 32

	.section .note.GNU-stack,"",@progbits
