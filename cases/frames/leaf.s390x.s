# Leaf functions with no frame of their own: locals and FP in the red zone (AMD64), a local area without a saved
# RA (AArch64), FP parked in a floating point register (s390x).
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined %r14
	aghi %r15, -160
	.cfi_adjust_cfa_offset 160
	lghi %r11, 0
	lghi %r2, 4
	brasl %r14, plain
	brasl %r14, locals
	brasl %r14, parks_fp
	svc 1
	.cfi_endproc
	.size _start, .-_start

	.type plain, @function
plain:
	.cfi_startproc
	aghi %r2, 3
	br %r14
	.cfi_endproc
	.size plain, .-plain

	.type locals, @function
locals:
	.cfi_startproc
	aghi %r15, -16
	.cfi_def_cfa_offset 176
	lghi %r1, 9
	stg %r1, 8(%r15)
	ag %r2, 8(%r15)
	aghi %r15, 16
	.cfi_def_cfa_offset 160
	br %r14
	.cfi_endproc
	.size locals, .-locals

	.type parks_fp, @function
parks_fp:
	.cfi_startproc
	ldgr %f0, %r11
	.cfi_register %r11, %f0
	lghi %r11, 17
	agr %r2, %r11
	lgdr %r11, %f0
	.cfi_restore %r11
	br %r14
	.cfi_endproc
	.size parks_fp, .-parks_fp

	.section .note.GNU-stack,"",@progbits
