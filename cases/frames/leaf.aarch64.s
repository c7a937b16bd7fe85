// Leaf functions with no frame of their own: locals and FP in the red zone (AMD64), a local area without a saved
// RA (AArch64), FP parked in a floating point register (s390x).
	.text
	.globl _start
	.type _start, %function
_start:
	.cfi_startproc
	.cfi_undefined x30
	mov x29, #0
	mov w0, #4
	bl plain
	bl locals
	bl parks_fp
	mov x8, #93
	svc #0
	.cfi_endproc
	.size _start, .-_start

	.type plain, %function
plain:
	.cfi_startproc
	add w0, w0, #3
	ret
	.cfi_endproc
	.size plain, .-plain

	.type locals, %function
locals:
	.cfi_startproc
	sub sp, sp, #32
	.cfi_def_cfa_offset 32
	mov w1, #9
	str w1, [sp, #4]
	ldr w1, [sp, #4]
	add w0, w0, w1
	add sp, sp, #32
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size locals, .-locals

	.type parks_fp, %function
parks_fp:
	.cfi_startproc
	str x30, [sp, #-32]! // a leaf that saves its return address only to use the register
	.cfi_def_cfa_offset 32
	.cfi_offset x30, -32
	str x29, [sp, #8]
	.cfi_offset x29, -24
	mov w30, #8
	mov w29, #9
	add w0, w0, w29
	add w0, w0, w30
	ldp x30, x29, [sp], #32
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size parks_fp, .-parks_fp

	.section .note.GNU-stack,"",%progbits
