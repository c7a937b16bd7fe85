# A saved register moves: .cfi_offset of FP, and of RA where it is tracked, is given again with another slot.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined %r14
	aghi %r15, -160
	.cfi_adjust_cfa_offset 160
	lghi %r11, 0
	lghi %r2, 5
	brasl %r14, outer
	svc 1
	.cfi_endproc
	.size _start, .-_start

	.type outer, @function
outer:
	.cfi_startproc
	stg %r11, 88(%r15)
	.cfi_offset %r11, -72
	stg %r14, 112(%r15)
	.cfi_offset %r14, -48
	aghi %r15, -192
	.cfi_def_cfa_offset 352
	stg %r11, 168(%r15)
	.cfi_offset %r11, -184
	stg %r14, 160(%r15)
	.cfi_offset %r14, -192
	xc 280(8,%r15), 280(%r15) # the first copy of FP is no more
	lgr %r11, %r2
	brasl %r14, leaf
	agr %r2, %r11
	lg %r11, 168(%r15)
	lg %r14, 160(%r15)
	stg %r14, 304(%r15)
	.cfi_offset %r14, -48
	stg %r11, 280(%r15)
	.cfi_offset %r11, -72
	lghi %r11, 3
	agr %r2, %r11
	lg %r11, 280(%r15)
	.cfi_restore %r11
	lg %r14, 304(%r15)
	.cfi_restore %r14
	aghi %r15, 192
	.cfi_def_cfa_offset 160
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
