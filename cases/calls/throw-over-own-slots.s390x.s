# A throw as libgcc does it: a function writes a handler of an outer frame over its own return address and saved
# registers, and then returns as if it had been called from there. Its rows name the right slots and are not wrong.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined %r14
	aghi %r15, -160
	.cfi_adjust_cfa_offset 160
	lghi %r11, 0
	brasl %r14, catcher
	svc 1
	.cfi_endproc
	.size _start, .-_start

	.type catcher, @function
catcher:
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
	lgr %r5, %r15
	larl %r3, 1f
	lgr %r4, %r11
	brasl %r14, middle
	lghi %r2, 1 # not reached
1: lghi %r2, 33
	lmg %r11, %r15, 248(%r11)
	.cfi_restore %r11
	.cfi_restore %r12
	.cfi_restore %r13
	.cfi_restore %r14
	.cfi_restore %r15
	.cfi_def_cfa %r15, 160
	br %r14
	.cfi_endproc
	.size catcher, .-catcher

	.type middle, @function
middle:
	.cfi_startproc
	stg %r14, 112(%r15)
	.cfi_offset %r14, -48
	aghi %r15, -160
	.cfi_def_cfa_offset 320
	brasl %r14, raise
	lg %r14, 272(%r15) # not reached
	.cfi_restore %r14
	aghi %r15, 160
	.cfi_def_cfa_offset 160
	br %r14
	.cfi_endproc
	.size middle, .-middle

	.type raise, @function
raise:
	.cfi_startproc
	stmg %r11, %r15, 88(%r15)
	.cfi_offset %r11, -72
	.cfi_offset %r12, -64
	.cfi_offset %r13, -56
	.cfi_offset %r14, -48
	.cfi_offset %r15, -40
	aghi %r15, -160
	.cfi_def_cfa_offset 320
	lghi %r11, 7
	stg %r4, 248(%r15)
	stg %r3, 272(%r15)
	stg %r5, 280(%r15)
	brasl %r14, leaf
	lg %r11, 248(%r15)
	.cfi_restore %r11
	lg %r14, 272(%r15)
	.cfi_restore %r14
	lg %r15, 280(%r15) # no row can say where the frame is now
	.cfi_restore %r15
	.cfi_def_cfa_offset 160
	br %r14
	.cfi_endproc
	.size raise, .-raise

	.type leaf, @function
leaf:
	.cfi_startproc
	nopr %r7
	br %r14
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",@progbits
