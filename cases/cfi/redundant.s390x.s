# Directives say again what holds already; rows may repeat, but what they say does not change.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined %r14
	aghi %r15, -160
	.cfi_adjust_cfa_offset 160
	lghi %r11, 0
	lghi %r2, 6
	brasl %r14, outer
	svc 1
	.cfi_endproc
	.size _start, .-_start

	.type outer, @function
outer:
	.cfi_startproc
	.cfi_def_cfa %r15, 160
	stg %r14, 112(%r15)
	.cfi_offset %r14, -48
	aghi %r15, -160
	.cfi_def_cfa_offset 320
	nopr
	.cfi_def_cfa_offset 320
	nopr
	.cfi_def_cfa %r15, 320
	.cfi_offset %r14, -48
	nopr
	.cfi_def_cfa_register %r15
	.cfi_adjust_cfa_offset 0
	brasl %r14, leaf
	aghi %r15, 160
	.cfi_def_cfa_offset 160
	lg %r14, 112(%r15)
	.cfi_restore %r14
	nopr
	.cfi_restore %r14
	.cfi_same_value %r11
	br %r14
	.cfi_endproc
	.size outer, .-outer

	.type leaf, @function
leaf:
	.cfi_startproc
	aghi %r2, 5
	br %r14
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",@progbits
