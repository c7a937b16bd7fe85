# Frames with a back chain word at their lower end, as -mbackchain keeps it.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined %r14
	aghi %r15, -160
	.cfi_adjust_cfa_offset 160
	lghi %r11, 0
	lghi %r2, 7
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
	lgr %r1, %r15
	aghi %r15, -160
	.cfi_def_cfa_offset 320
	stg %r1, 0(%r15)
	lgr %r11, %r15
	.cfi_def_cfa_register %r11
	brasl %r14, inner
	aghi %r2, 2
	lg %r1, 0(%r11) # the caller's SP, the way an old unwinder finds it
	lmg %r11, %r15, 88(%r1)
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
	lgr %r1, %r15
	aghi %r15, -96
	.cfi_def_cfa_offset 256
	stg %r1, 0(%r15)
	aghi %r2, 9
	lg %r15, 0(%r15)
	.cfi_def_cfa_offset 160
	br %r14
	.cfi_endproc
	.size inner, .-inner

	.section .note.GNU-stack,"",@progbits
