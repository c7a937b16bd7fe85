# A function writes past its buffer: over a saved frame pointer and a return address. The function whose they were
# returns to where the program never called anything. The tables name the right slots and are not wrong.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined %r14
	aghi %r15, -160
	.cfi_adjust_cfa_offset 160
	lghi %r11, 0
	brasl %r14, outer
	lghi %r2, 1 # not reached
	svc 1
	.cfi_endproc
	.size _start, .-_start

	.type outer, @function
outer:
	.cfi_startproc
	stg %r14, 112(%r15)
	.cfi_offset %r14, -48
	aghi %r15, -160
	.cfi_def_cfa_offset 320
	brasl %r14, victim
	lg %r14, 272(%r15) # not reached
	.cfi_restore %r14
	aghi %r15, 160
	.cfi_def_cfa_offset 160
	br %r14
	.cfi_endproc
	.size outer, .-outer

	.type victim, @function
victim:
	.cfi_startproc
	stmg %r11, %r15, 88(%r15)
	.cfi_offset %r11, -72
	.cfi_offset %r12, -64
	.cfi_offset %r13, -56
	.cfi_offset %r14, -48
	.cfi_offset %r15, -40
	aghi %r15, -192
	.cfi_def_cfa_offset 352
	lgr %r11, %r15
	.cfi_def_cfa_register %r11
	la %r2, 160(%r15)
	brasl %r14, fill
	lgr %r0, %r1
	lmg %r11, %r15, 280(%r11)
	.cfi_restore %r11
	.cfi_restore %r12
	.cfi_restore %r13
	.cfi_restore %r14
	.cfi_restore %r15
	.cfi_def_cfa %r15, 160
	br %r14
	.cfi_endproc
	.size victim, .-victim

	.type fill, @function
fill:
	.cfi_startproc
	larl %r3, reached
	lghi %r1, 19 # the buffer and the saved registers up to the return address
1: stg %r3, 0(%r2)
	aghi %r2, 8
	aghi %r1, -1
	jne 1b
	br %r14
	.cfi_endproc
	.size fill, .-fill

	.type reached, @function
reached:
	.cfi_startproc
	stg %r14, 112(%r15)
	.cfi_offset %r14, -48
	aghi %r15, -160
	.cfi_def_cfa_offset 320
	brasl %r14, leaf
	svc 1
	.cfi_endproc
	.size reached, .-reached

	.type leaf, @function
leaf:
	.cfi_startproc
	lghi %r2, 42
	br %r14
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",@progbits
