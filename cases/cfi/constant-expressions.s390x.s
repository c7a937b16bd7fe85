# Offsets are constant expressions and symbols, not plain numbers.
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

	.set LOCALS, 3 * 16
	.set TEN, 5 << 1
	.type outer, @function
outer:
	.cfi_startproc
	stg %r14, 112(%r15)
	.cfi_offset %r14, 112 - 160
	aghi %r15, -(160 + LOCALS)
	.cfi_adjust_cfa_offset 160 + LOCALS
	brasl %r14, leaf
	aghi %r2, TEN
	aghi %r15, 160 + LOCALS
	.cfi_adjust_cfa_offset -(160 + LOCALS)
	lg %r14, 112(%r15)
	.cfi_restore %r14
	.cfi_def_cfa_offset 16 * TEN
	br %r14
	.cfi_endproc
	.size outer, .-outer

	.type leaf, @function
leaf:
	.cfi_startproc
	aghi %r2, 4
	br %r14
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",@progbits
