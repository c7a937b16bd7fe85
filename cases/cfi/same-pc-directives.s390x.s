# Several directives are between two instructions: only the state after the last of them counts.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined %r14
	aghi %r15, -160
	.cfi_adjust_cfa_offset 160
	lghi %r11, 0
	lghi %r2, 8
	brasl %r14, shuffled
	svc 1
	.cfi_endproc
	.size _start, .-_start

	.type shuffled, @function
shuffled:
	.cfi_startproc
	stmg %r11, %r15, 88(%r15)
	.cfi_offset %r14, -64
	.cfi_offset %r11, -72
	.cfi_offset %r12, -64
	.cfi_restore %r14
	.cfi_offset %r13, -56
	.cfi_offset %r14, -48
	.cfi_offset %r15, -40
	aghi %r15, -160
	.cfi_adjust_cfa_offset 1000
	.cfi_adjust_cfa_offset -840
	lgr %r11, %r15
	.cfi_def_cfa %r11, 800
	.cfi_def_cfa_offset 320
	.cfi_def_cfa %r15, 320
	.cfi_def_cfa_register %r11
	aghi %r15, -64
	.cfi_def_cfa %r15, 384
	.cfi_def_cfa %r11, 320 # there and back: nothing changed
	brasl %r14, leaf
	lmg %r11, %r15, 248(%r11)
	.cfi_restore %r15
	.cfi_restore %r14
	.cfi_restore %r13
	.cfi_restore %r12
	.cfi_restore %r11
	.cfi_def_cfa_register %r15
	.cfi_def_cfa_offset 800
	.cfi_adjust_cfa_offset -640
	br %r14
	.cfi_endproc
	.size shuffled, .-shuffled

	.type leaf, @function
leaf:
	.cfi_startproc
	aghi %r2, 8
	br %r14
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",@progbits
