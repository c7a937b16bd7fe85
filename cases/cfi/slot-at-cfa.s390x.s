# FP is saved at the CFA itself and above it, in the argument area that the caller made for the function.
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
	stg %r14, 112(%r15)
	.cfi_offset %r14, -48
	aghi %r15, -176
	.cfi_def_cfa_offset 336
	brasl %r14, at_cfa
	brasl %r14, above_cfa
	aghi %r15, 176
	.cfi_def_cfa_offset 160
	lg %r14, 112(%r15)
	.cfi_restore %r14
	br %r14
	.cfi_endproc
	.size outer, .-outer

	.type at_cfa, @function
at_cfa:
	.cfi_startproc
	stg %r11, 160(%r15)
	.cfi_offset %r11, 0
	lghi %r11, 8
	agr %r2, %r11
	lg %r11, 160(%r15)
	.cfi_restore %r11
	br %r14
	.cfi_endproc
	.size at_cfa, .-at_cfa

	.type above_cfa, @function
above_cfa:
	.cfi_startproc
	stg %r11, 168(%r15)
	.cfi_offset %r11, 8
	lghi %r11, 8
	agr %r2, %r11
	lg %r11, 168(%r15)
	.cfi_restore %r11
	br %r14
	.cfi_endproc
	.size above_cfa, .-above_cfa

	.section .note.GNU-stack,"",@progbits
