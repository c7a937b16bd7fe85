# FP points above the CFA or straight at it, so that the offset of the CFA is negative or zero.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined %r14
	aghi %r15, -160
	.cfi_adjust_cfa_offset 160
	lghi %r11, 0
	lghi %r2, 9
	brasl %r14, below
	svc 1
	.cfi_endproc
	.size _start, .-_start

	.type below, @function
below:
	.cfi_startproc
	stg %r11, 88(%r15)
	.cfi_offset %r11, -72
	stg %r14, 112(%r15)
	.cfi_offset %r14, -48
	la %r11, 192(%r15)
	.cfi_def_cfa %r11, -32
	aghi %r15, -160
	brasl %r14, at
	aghi %r15, 160
	.cfi_def_cfa %r15, 160
	lg %r14, 112(%r15)
	.cfi_restore %r14
	lg %r11, 88(%r15)
	.cfi_restore %r11
	br %r14
	.cfi_endproc
	.size below, .-below

	.type at, @function
at:
	.cfi_startproc
	stg %r11, 88(%r15)
	.cfi_offset %r11, -72
	stg %r14, 112(%r15)
	.cfi_offset %r14, -48
	la %r11, 160(%r15)
	.cfi_def_cfa %r11, 0
	aghi %r15, -160
	brasl %r14, leaf
	aghi %r2, 9
	aghi %r15, 160
	.cfi_def_cfa %r15, 160
	lg %r14, 112(%r15)
	.cfi_restore %r14
	lg %r11, 88(%r15)
	.cfi_restore %r11
	br %r14
	.cfi_endproc
	.size at, .-at

	.type leaf, @function
leaf:
	.cfi_startproc
	aghi %r2, 9
	br %r14
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",@progbits
