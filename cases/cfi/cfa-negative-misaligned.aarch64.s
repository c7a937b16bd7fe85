// FP points above the CFA by a number of bytes that is no multiple of the data alignment factor.
	.text
	.globl _start
	.type _start, %function
_start:
	.cfi_startproc
	.cfi_undefined x30
	mov x29, #0
	mov w0, #6
	bl odd
	mov x8, #93
	svc #0
	.cfi_endproc
	.size _start, .-_start

	.type odd, %function
odd:
	.cfi_startproc
	stp x29, x30, [sp, #-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset x29, -16
	.cfi_offset x30, -8
	add x29, sp, #28
	.cfi_def_cfa x29, -12
	add w0, w0, #1
	ldp x29, x30, [sp], #16
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa sp, 0
	ret
	.cfi_endproc
	.size odd, .-odd

	.type leaf, %function
leaf:
	.cfi_startproc
	add w0, w0, #1
	ret
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",%progbits
